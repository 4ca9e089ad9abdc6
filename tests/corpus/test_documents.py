import polars as pl
import pytest

from keysift.corpus.documents import corpus_from
from keysift.errors import InputError

FRAME = pl.DataFrame({"id": ["x", "y"], "year": [1, 2], "title": ["a", None], "body": ["b", ""]})


def test_the_id_column_leaves_the_others() -> None:
    corpus = corpus_from(FRAME, "f", text="title")
    assert corpus.ids.name == "id"
    assert corpus.ids.to_list() == ["x", "y"]
    assert corpus.texts.to_list() == ["a", ""]
    assert corpus.columns.columns == ["year", "title", "body"]


def test_another_id_column() -> None:
    corpus = corpus_from(FRAME, "f", text="body", id="year")
    assert corpus.ids.name == "id"
    assert corpus.ids.to_list() == [1, 2]
    assert corpus.columns.columns == ["id", "title", "body"]


def test_row_numbers_without_an_id_column() -> None:
    assert corpus_from(FRAME.drop("id"), "f", text="body").ids.to_list() == [1, 2]


def test_a_column_named_id_may_be_the_text() -> None:
    corpus = corpus_from(FRAME, "f", text="id")
    assert corpus.ids.to_list() == [1, 2]
    assert corpus.texts.to_list() == ["x", "y"]
    assert corpus.columns.equals(FRAME)


def test_ignore_leaves_one_text_column() -> None:
    assert corpus_from(FRAME, "f", ignore=["title", "absent"]).texts.to_list() == ["b", ""]


def test_the_own_columns_of_an_earlier_ranking_are_not_its_text() -> None:
    own = {"rank": ["1"], "score": ["2.5"], "decision": ["1"], "pseudo_positive": ["1"], "evidence": ["keywords: goal"]}
    ranked = pl.DataFrame({**own, "matched": ['["goal"]'], "words": ['["late"]'], "body": ["a goal"]})
    assert corpus_from(ranked, "f", typed=False).texts.to_list() == ["a goal"]
    words = pl.DataFrame({"words": ["a goal"], "rank": ["1"]})  # no ranking: the column may be anything
    assert corpus_from(words, "f", typed=False).texts.to_list() == ["a goal"]


def test_numbers_written_as_strings_are_text_only_in_a_typed_source() -> None:
    frame = pl.DataFrame({"n": ["1", "", "-2.5e3"], "t": ["1", "a", "2"]})
    assert corpus_from(frame, "f", typed=False).texts.to_list() == ["1", "a", "2"]
    with pytest.raises(InputError, match=r"2 columns .* 'n', 't'; .*text="):
        corpus_from(frame, "f")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {},
            r"f has 2 columns that could be the text .'title', 'body'.; the columns are 'id', 'year', .*text=",
        ),
        ({"ignore": ["title", "body"]}, r"f has no column of text; the columns are 'id', .*text="),
        ({"text": "bod"}, r"f has no column 'bod'; the columns are 'id', .*text="),
        ({"id": "key"}, r"f has no column 'key'; the columns are 'id', .*id="),
        ({"text": "year"}, r"'year' of f holds Int64, not text; .*text="),
        ({"text": "body", "id": "body"}, r"'body' of f cannot be both text and id; .*text= or id="),
    ],
)
def test_a_wrong_choice_of_columns(options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        corpus_from(FRAME, "f", **options)  # type: ignore[arg-type]


def test_no_document() -> None:
    with pytest.raises(InputError, match="f contains no documents; "):
        corpus_from(FRAME.clear(), "f")
