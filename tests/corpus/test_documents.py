import polars as pl
import pytest

from keysift.corpus.columns import Columns
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


def test_columns_that_could_be_the_text_are_named() -> None:
    frame = FRAME.rename({"title": "a", "body": "b"})
    with pytest.raises(InputError, match=r"f has 2 columns .* .'a', 'b'.; the columns are 'id', 'year', .*text="):
        corpus_from(frame, "f")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("a text b", ["text"]),
        ("title text", ["text"]),
        ("label Text", ["Text"]),
        ("TEXT text", ["text"]),
        ("title abstract venue", ["title", "abstract"]),
        ("Abstract Authors Title", ["Title", "Abstract"]),
        ("subject message sender", ["subject", "message"]),
        ("content body a", ["body"]),
        ("title venue", ["title"]),
        ("user_id comment_text label", ["comment_text"]),
        ("user post_text", ["post_text"]),
        ("user Tweet_Text", ["Tweet_Text"]),
        ("title body_text venue", ["title", "body_text"]),
        ("a full_text", ["full_text"]),
        ("stars review_text", ["review_text"]),
        ("Key,Author,Title,Publication Title,Abstract Note,Url", ["Title", "Abstract Note"]),
        ("Authors,Article Title,Source Title,Abstract,DOI", ["Article Title", "Abstract"]),
        ("Authors,Title,Source title,Abstract,Author Keywords", ["Title", "Abstract"]),
    ],
)
def test_well_known_names(columns: str, expected: list[str]) -> None:
    names = columns.split(",") if "," in columns else columns.split()
    frame = pl.DataFrame({name: [f"<{name}>"] for name in names})
    corpus = corpus_from(frame, "f")
    assert corpus.texts.to_list() == ["\n".join(f"<{name}>" for name in expected)]
    assert corpus.texts.name == ",".join(expected)


TIMES = ["2020-01-06", "2020-01-06T10:00:00Z", "2020-01-06 10:00:00.123+00:00", "06/01/2020 10:00", "6.1.2020", "10:00"]
TIMES += ["6 January 2020", "Jan 6, 2020", "Mon, 06 Jan 2020 10:00:00 +0000", "Mon Jan  6 10:00:00 UTC 2020", "5:04 pm"]
TIMES += ["Mon Jan 06 10:00:00 +0000 2020"]


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("time", TIMES)
def test_dates_and_times_are_no_text(time: str, typed: bool) -> None:
    frame = pl.DataFrame({"when": [time, "", None], "said": ["a goal", "rain", time]})
    assert corpus_from(frame, "f", typed=typed).texts.to_list() == ["a goal", "rain", time]


def test_a_text_that_begins_with_a_date_is_text() -> None:
    frame = pl.DataFrame({"a": ["2020-01-06 a goal"], "b": ["Mon, rain"], "empty": [""]})
    with pytest.raises(InputError, match=r"f has 3 columns .* .'a', 'b', 'empty'"):
        corpus_from(frame, "f")


@pytest.mark.parametrize(
    "text", ["title,body", "title, body", ["title", "body"], ["title,body"], ["title", "body,title"]]
)
def test_several_columns_are_joined(text: str | list[str]) -> None:
    corpus = corpus_from(FRAME, "f", text=text)
    assert corpus.texts.to_list() == ["a\nb", ""]
    assert corpus.read_from == Columns(("title", "body"), "id")


def test_a_name_with_a_comma() -> None:
    frame = FRAME.rename({"title": "title,body"})
    assert corpus_from(frame, "f", text="title,body").texts.to_list() == ["a", ""]
    with pytest.raises(InputError, match="f has no column 'c'; "):
        corpus_from(frame, "f", text="body,c")


def test_the_id_may_be_part_of_the_text() -> None:
    corpus = corpus_from(FRAME, "f", text="id,body")
    assert corpus.texts.to_list() == ["x\nb", "y"]
    assert corpus.ids.to_list() == [1, 2]


def test_columns_are_remembered_where_they_are_there() -> None:
    frame = FRAME.rename({"title": "a", "body": "b"})
    before = Columns(("b",), "a")
    corpus = corpus_from(frame, "f", remembered=before)
    assert corpus.texts.to_list() == ["b", ""]
    assert corpus.ids.to_list() == ["a", None]
    assert corpus.read_from == before
    assert corpus_from(frame, "f", text="a", id="id", remembered=before).texts.to_list() == ["a", ""]
    assert corpus_from(FRAME, "f", remembered=before).texts.name == "title,body"


def test_no_document() -> None:
    with pytest.raises(InputError, match="f contains no documents; "):
        corpus_from(FRAME.clear(), "f")
