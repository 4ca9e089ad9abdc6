import pytest

from keysift.cli.command import as_options


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("name it with text=.", "name it with --text."),
        ("name another with text= or id=", "name another with --text or --id"),
        ("for example encoding='latin-1'.", "for example --encoding latin-1."),
        ("keep them with stop_keywords='keep'", "keep them with --stop-keywords keep"),
        ("hand in embeddings= for new documents", "hand in --vector-column for new documents"),
        ("load it with keysift.load(path, tokenizer=...)", "load it with keysift.load(path, tokenizer=...)"),
        ("Cannot read text=1.csv", "Cannot read text=1.csv"),
        ("clf.text= is no argument", "clf.text= is no argument"),
        ("threshold must be 'prior'", "threshold must be 'prior'"),
    ],
)
def test_arguments_become_the_options_of_the_command(message: str, expected: str) -> None:
    assert as_options(message, {"text", "id", "encoding", "stop_keywords", "vector_column"}) == expected


def test_what_the_command_has_no_option_for_stays() -> None:
    message = "fit with threshold='prior', or hand in embeddings="
    assert as_options(message, {"text"}) == message
