import io
import zipfile
from typing import Any

import pytest
import xlsxwriter

from keysift.corpus import sheet_bounds
from keysift.corpus.sheet_bounds import check_bounds
from keysift.errors import InputError


def book(cells: dict[tuple[int, int], Any]) -> bytes:
    data = io.BytesIO()
    with xlsxwriter.Workbook(data) as file:
        page = file.add_worksheet()
        for (row, column), value in cells.items():
            page.write(row, column, value)
    return data.getvalue()


def test_one_cell_far_away() -> None:
    data = book({(0, 0): "text", (1, 0): "a goal", (1_048_575, 16_383): "far"})
    with pytest.raises(
        InputError, match=r"a\.xlsx: its cells are spread over 1,048,576 rows and 16,384 columns, and only"
    ):
        check_bounds(data, "a.xlsx")


def test_a_row_far_away_is_seen_across_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    data = book({(0, 0): "text", (1_048_575, 20): "far"})
    for size in (50, 64, 1000):
        monkeypatch.setattr(sheet_bounds, "CHUNK", size)
        with pytest.raises(InputError, match="1,048,576 rows and 21 columns"):
            check_bounds(data, "a.xlsx")


def test_usual_sheets_pass() -> None:
    check_bounds(book({(0, 0): "text", (200_000, 20): "far"}), "a.xlsx")
    check_bounds(book({(row, column): row for row in range(2000) for column in range(10)}), "a.xlsx")


def test_a_large_sheet_that_is_full_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_bounds, "SPARSE", 60_000)
    check_bounds(book({(row, column): row for row in range(7000) for column in range(10)}), "a.xlsx")
    with pytest.raises(InputError, match="only"):
        check_bounds(book({(row, row): row for row in range(300)}), "a.xlsx")


def test_what_would_be_too_large_is_not_unzipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_bounds, "UNZIPPED", 1000)
    with pytest.raises(InputError, match="unzipped it would have"):
        check_bounds(book({(0, 0): "text"}), "a.xlsx")


def test_a_damaged_part() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("xl/worksheets/sheet1.xml", "<worksheet/>")
    broken = data.getvalue().replace(b"<worksheet/>", b"<worksheet!>", 1)
    with pytest.raises(InputError, match="cannot be read as a spreadsheet"):
        check_bounds(broken, "a.xlsx")
