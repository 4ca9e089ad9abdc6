import os
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift import KeywordClassifier, LearnConfig
from tests.cli.light import KEYWORDS, LIGHT, SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


@pytest.fixture
def many(tmp_path: Path, corpus: pl.DataFrame) -> Path:
    """The small corpus three times, an everyday word in every third document, whatever it is about."""
    path = tmp_path / "many.csv"
    texts = [
        f"indeed {text}" if (place + number) % 3 == 0 else text
        for number in range(3)
        for place, text in enumerate(corpus["text"])
    ]
    pl.DataFrame({"text": texts}).write_csv(path)
    return path


def test_the_table_shows_what_each_keyword_finds(run: Run, documents: Path) -> None:
    result = run("keywords", documents, "--keywords", "hockey:2, baseball, curling", "--gamma", 5, *LIGHT)
    assert result.exit_code == 0, result.output
    for part in ("Keywords in 60 documents", "weight", "share", "vector", "alone", "football 0.86", "hockey:", "%"):
        assert part in result.stdout, part
    for part in ("verdict", "too few documents"):
        assert part in " ".join(result.stdout.split()), part
    examples = [line for line in result.stdout.splitlines() if "a hockey goalie" in line or "the hockey team" in line]
    assert len(examples) >= 3
    assert result.stderr.count("'curling' is in no document") == 1
    assert "keysift rank" in result.stderr
    assert "--never-add drops nearest words" in result.stderr


def test_words_that_are_never_added_do_not_expand(run: Run, documents: Path) -> None:
    options = ["-k", "hockey", "--gamma", 5, "--no-learn"]
    assert "football" in run("keywords", documents, *options).stdout
    assert "football" not in run("keywords", documents, *options, "--never-add", "football").stdout


def test_words_to_add_and_to_drop(run: Run, many: Path) -> None:
    result = run("keywords", many, "-k", "hockey, baseball, striker, indeed")
    assert result.exit_code == 0, result.output
    verdicts = {
        cells[1].strip(): cells[-2].strip()
        for cells in (line.split("│") for line in result.stdout.splitlines())
        if len(cells) > 2
    }
    assert verdicts == {"hockey": "fits", "baseball": "fits", "striker": "fits", "indeed": "ambiguous"}
    added = next(line for line in result.stdout.splitlines() if line.startswith("Words to add: "))
    assert any(word in added for word in ("tournament", "game", "season", "playoff"))
    (dropped,) = [line for line in result.stdout.splitlines() if line.startswith("Consider dropping ")]
    assert dropped.startswith("Consider dropping “indeed” (agreement 0.")
    assert dropped.endswith("its documents are not what the other keywords find.")
    assert "0.5 is chance" in result.stderr
    assert "--never-add" not in result.stderr
    assert "nearest words" not in result.stdout  # a column that would be empty


def test_the_table_equals_python(run: Run, many: Path) -> None:
    told = run("keywords", many, *SPORTS).stdout
    clf = KeywordClassifier(KEYWORDS, encoder=None, learning=LearnConfig(rounds=0)).fit(pl.read_csv(many)["text"])
    for row in clf.keyword_table():
        line = next(line for line in told.splitlines() if line.startswith(f"│ {row.keyword} "))
        shown = [row.keyword, f"{row.documents}", f"{row.share:.2%}", f"{row.alone}", f"{row.belief:.2f}", row.verdict]
        assert [cell.strip() for cell in line.split("│")[1:-1]] == shown
    assert clf.suggested_keywords_
    assert all(f"{one.word} (" in told for one in clf.suggested_keywords_)


def test_no_learning_only_counts(run: Run, documents: Path) -> None:
    result = run("keywords", documents, "-k", "hockey, baseball", "--no-learn")
    assert result.exit_code == 0
    assert "Keywords in 60 documents" in result.stdout
    assert "Fitting" not in result.stderr
    for part in ("agreement", "verdict", "Words to add", "Consider dropping"):
        assert part not in result.output, part


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("tax law\ncourt case\nwater bill\n", "No document holds any of 'hockey'"),
        ("hockey one\nhockey two\nhockey three\n", "All 3 documents are pseudo-positive"),
        ("a hockey game\n", "only one document"),
    ],
)
def test_where_nothing_can_be_learned_the_table_is_still_shown(
    run: Run, tmp_path: Path, content: str, expected: str
) -> None:
    path = tmp_path / "documents.txt"
    path.write_text(content, encoding="utf-8")
    result = run("keywords", path, "-k", "hockey")
    assert result.exit_code == 0, result.output
    assert "│ hockey " in result.stdout
    notes = [line for line in result.stderr.splitlines() if line.startswith("Note: Nothing could be learned")]
    assert len(notes) == 1
    assert expected in notes[0]
    assert "Words to add" not in result.stdout


def test_one_keyword_has_no_others_to_fit(run: Run, many: Path) -> None:
    result = run("keywords", many, "-k", "hockey", *LIGHT)
    assert "only keyword" in result.stdout
    told = run("rank", many, "-k", "hockey", *LIGHT).stderr
    assert "Quality without labels: unknown, because it takes two or more keywords" in told


def test_keywords_of_several_things_are_unclear(run: Run, tmp_path: Path, corpus: pl.DataFrame) -> None:
    """Four everyday words, each in every seventh document or so, and no subject at all."""
    words = ["indeed", "also", "however", "perhaps"]
    texts = [
        " ".join([text, *(word for turn, word in enumerate(words) if (7 * place + number) % (5 + turn) == 0)])
        for number in range(4)
        for place, text in enumerate(corpus["text"])
    ]
    source = tmp_path / "everyday.csv"
    pl.DataFrame({"text": texts}).write_csv(source)
    result = run("keywords", source, "-k", ", ".join(words), *LIGHT)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("unclear") == len(words)
    assert "Which keywords to drop cannot be told: they hardly find each other's documents" in result.stdout


def cells_of(shown: str, keyword: str) -> list[str]:
    """The row of a keyword in the table."""
    line = next(line for line in shown.splitlines() if line.startswith(f"│ {keyword} "))
    return [cell.strip() for cell in line.split("│")[1:-1]]


def test_the_language_is_said_and_inflections_count(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "pakete.txt"
    path.write_text("Das Paket ist da\nDie Pakete sind da\nDer Hund ist nicht da\nEr ist es nicht\n", "utf-8")
    guessed = run("keywords", path, "-k", "Paket", "--no-learn")
    assert "Language: German (guessed; --language overrides)." in guessed.stderr
    assert cells_of(guessed.stdout, "Paket")[1] == "2"
    exact = run("keywords", path, "-k", "Paket", "--no-learn", "--no-inflections")
    assert cells_of(exact.stdout, "Paket")[1] == "1"
    told = run("keywords", path, "-k", "Paket", "--no-learn", "--language", "none")
    assert "Language: none in particular." in told.stderr
    assert cells_of(told.stdout, "Paket")[1] == "1"
    assert "Language: German (guessed" in run("rank", path, "-k", "Paket", *LIGHT).stderr


def test_a_language_that_there_is_none_of(run: Run, documents: Path) -> None:
    result = run("keywords", documents, "-k", "hockey", "--language", "klingon")
    assert result.exit_code != 0
    assert "language must be 'auto', 'none' or a language" in result.stderr


SUITE = Path(os.environ.get("KEYSIFT_SUITE", Path(__file__).parents[3] / "shared" / "suite")) / "data"


@pytest.mark.skipif(not SUITE.is_dir(), reason="the suite is not there: set KEYSIFT_SUITE to its folder")
def test_chinese_hotels(run: Run) -> None:
    source = SUITE / "zh_shopping.csv.gz"
    result = run("keywords", source, "-k", "酒店, 宾馆", "--text", "text", "--no-learn")
    assert result.exit_code == 0, result.output
    assert "Language: Chinese (guessed; --language overrides)." in result.stderr
    texts = pl.read_csv(source)["text"]
    for keyword in ("酒店", "宾馆"):
        expected = texts.str.contains(keyword, literal=True).sum()
        assert expected > 100
        assert cells_of(result.stdout, keyword)[1] == f"{expected:,}"
