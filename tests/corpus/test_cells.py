import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.cells import FORMULA, LONGEST, cut_to_cells, for_spreadsheet, too_long


@given(texts=st.lists(st.text(), min_size=1))
def test_no_cell_begins_like_a_formula_and_all_else_stays(texts: list[str]) -> None:
    shown = for_spreadsheet(pl.DataFrame({"id": texts, "n": range(len(texts))}))["id"]
    assert not shown.str.contains(FORMULA).any()
    assert [text[-len(before) :] if before else "" for text, before in zip(shown, texts, strict=True)] == texts


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1"])
def test_what_is_a_formula_gets_a_space(cell: str) -> None:
    assert for_spreadsheet(pl.DataFrame({"a": [cell], "b": [cell]})).row(0) == (f" {cell}", f" {cell}")


def test_missing_values_and_other_types_stay() -> None:
    frame = pl.DataFrame({"a": [None, "x"], "n": [-1, 2], "l": [["=1"], None]})
    assert for_spreadsheet(frame).equals(frame)
    assert for_spreadsheet(pl.DataFrame()).is_empty()


def test_a_text_that_is_just_short_enough_is_whole() -> None:
    frame = pl.DataFrame({"a": ["é" * LONGEST, "é" * (LONGEST + 1)]})
    assert cut_to_cells(frame)["a"].to_list() == ["é" * LONGEST, "é" * LONGEST + " …"]
    assert too_long(frame) == 1
