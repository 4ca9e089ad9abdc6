import polars as pl
import pytest

from keysift.audit.sheet import COLUMNS, check_sheet, read_tag, start
from keysift.errors import InputError
from tests.audit.cases import ranking_frame


def test_a_row_a_document_with_an_empty_answer_and_a_tag_in_every_row() -> None:
    sheet = start(ranking_frame(), 40, seed=5)
    assert tuple(sheet.columns) == COLUMNS
    assert len(sheet) == sheet["id"].n_unique() == 40
    assert set(sheet["answer"]) == {""}
    tags = [read_tag(tag) for tag in sheet["tag"]]
    assert {(tag.n, tag.seed, tag.k) for tag in tags if tag} == {(40, 5, 100)}
    assert [tag.number for tag in tags if tag] == list(range(1, 41))


def test_no_text_is_a_formula_or_longer_than_a_cell() -> None:
    texts = pl.Series(["=HYPERLINK(1)", "+1", "-1", "@x", "y" * 50_000, *["fine"] * 195])
    shown = start(ranking_frame(), 200, texts=texts)["text"]
    assert not shown.str.contains(r"^[=+\-@]").any()
    assert shown.str.len_chars().max() == 30_002
    assert {" =HYPERLINK(1)", "fine"} <= set(shown)


def test_words_to_highlight_are_a_json_list() -> None:
    frame = ranking_frame().with_columns(
        matched=pl.lit(["ice hockey"], dtype=pl.List(pl.String)), words=pl.lit('["goal", "ice hockey", "<é>"]')
    )
    assert set(start(frame, 20)["highlight"]) == {'["ice hockey", "goal", "<é>"]'}
    assert set(start(frame.drop("matched", "words"), 20)["highlight"]) == {"[]"}


@pytest.mark.parametrize("text", ["", None, "keysift", "keysift-0123-n1-s1-k1-1", "keysift-0123456789ab-n1-s1-k1"])
def test_what_is_no_tag(text: str | None) -> None:
    assert read_tag(text) is None


@pytest.mark.parametrize(
    "frame",
    [
        ranking_frame(),
        start(ranking_frame(), 20).drop("tag"),
        start(ranking_frame(), 20).drop("answer"),
        start(ranking_frame(), 20).with_columns(tag=pl.lit("")),
        start(ranking_frame(), 20).head(0),
    ],
)
def test_what_is_no_audit_is_refused(frame: pl.DataFrame) -> None:
    with pytest.raises(InputError, match="is no audit"):
        check_sheet(frame)
