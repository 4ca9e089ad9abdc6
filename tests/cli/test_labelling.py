import polars as pl
import pytest
from rich.console import Group
from rich.text import Text

from keysift.cli.labelling import _shown


def marked(sheet: dict[str, str]) -> list[str]:
    """The words that are marked in the text of a sheet with one row."""
    group = _shown(pl.DataFrame(sheet), 0, 0, reasons=False).renderable
    assert isinstance(group, Group)
    text = group.renderables[0]
    assert isinstance(text, Text)
    return [text.plain[span.start : span.end] for span in text.spans]


SHEET = {
    "id": "a",
    "text": "Ice-hockey, a late goal and taxes",
    "evidence": "keywords: ice hockey; moved by: tax -0.50",
}


def test_the_words_of_the_sheet_are_marked() -> None:
    assert marked({**SHEET, "highlight": '["ice hockey", "goal", "tax"]'}) == ["Ice-hockey", "goal"]


@pytest.mark.parametrize("highlight", ["", "[]", "ice hockey", "[1, null]", '["", " "]', '{"goal": 1}', '["goal'])
def test_what_is_no_list_of_words_marks_nothing(highlight: str) -> None:
    assert marked({**SHEET, "highlight": highlight}) == []


def test_a_sheet_without_the_column_is_shown_without_marks() -> None:
    assert marked(SHEET) == []
