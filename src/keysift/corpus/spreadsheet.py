"""Spreadsheets in and out: a table from a sheet, and a sheet in which text is always text."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from keysift.corpus.cells import LONGEST, cut_to_cells, too_long
from keysift.corpus.sheet_bounds import check_bounds
from keysift.errors import InputError, OutputError, listed, warn
from keysift.library_logs import silenced

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS, MOST_COLUMNS = 1_048_575, 16_384
"""What a sheet holds below its header, and beside each other."""
EXACT = 2**53
"""A spreadsheet keeps numbers up to here."""
WHOLE = 2**63
"""Whole numbers below this are read as such, so that an id has no decimals."""
FIRST_DATE = date(1900, 3, 1)
"""Before this, spreadsheets do not agree on dates."""


def read_xlsx(data: bytes, source: str, sheet: str | None = None) -> pl.DataFrame:
    """A sheet of a spreadsheet; without a name the first that has rows, and it is said if others have some, too."""
    from fastexcel import FastExcelError, read_excel

    if not data:
        return pl.DataFrame()
    check_bounds(data, source)
    try:
        book = read_excel(data)
        names = book.sheet_names
        if sheet is not None and sheet not in names:
            raise InputError(f"{source} has no sheet {sheet!r}; its sheets are {listed(names)}; name one with sheet=.")
        chosen = [sheet] if sheet is not None else names
        with silenced("fastexcel", "calamine"):
            frames = {name: _sheet(book.load_sheet(name, schema_sample_rows=None).to_polars()) for name in chosen}
    except FastExcelError as error:
        first = str(error).partition("\n")[0].rstrip(".")
        raise InputError(
            f"{source}: it cannot be read as a spreadsheet ({first}); save it again as .xlsx, or as .csv in UTF-8."
        ) from error
    full = [name for name, frame in frames.items() if not frame.is_empty()]
    if len(full) > 1:
        warn(
            f"{source} has {len(full)} sheets with rows ({listed(full)}); {full[0]!r} is read; name another with"
            " sheet=."
        )
    return frames[full[0]] if full else pl.DataFrame()


def _sheet(frame: pl.DataFrame) -> pl.DataFrame:
    """Without the empty rows and columns that spreadsheets keep."""
    named = [name for name in frame.columns if not (name.startswith("__UNNAMED__") and frame[name].is_null().all())]
    frame = frame.select(_as_typed(frame[name]) for name in named)
    return frame.filter(~pl.all_horizontal(pl.all().is_null())) if frame.width else frame


def _as_typed(column: pl.Series) -> pl.Series:
    """What a person typed: every number of a spreadsheet is a fraction, and every day has an hour."""
    if column.dtype == pl.Null:
        return column.cast(pl.String)
    if column.dtype == pl.Float64 and (column.is_null() | ((column.abs() < WHOLE) & (column == column.floor()))).all():
        return column.cast(pl.Int64)
    if column.dtype == pl.Datetime and (column.is_null() | (column == column.dt.truncate("1d"))).all():
        return column.cast(pl.Date)
    return column


def check_rows(rows: int, columns: int = 0) -> None:
    """Refuse a table that is larger than a sheet."""
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        raise OutputError(
            f"Cannot write {rows:,} rows and {columns:,} columns as .xlsx, which holds {MOST_ROWS:,} and"
            f" {MOST_COLUMNS:,}; choose .csv or .parquet."
        )


def write_xlsx(frames: Iterable[pl.DataFrame], path: Path) -> None:
    """Tables of the same columns, one below the other, as the only sheet of a spreadsheet.

    A string is written as a string, never as a formula or a link.
    """
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import XlsxWriterException

    coming = iter(frames)
    first = next(coming, pl.DataFrame())
    check_rows(first.height, first.width)  # before a book is opened, which is not to be closed without its rows
    # Row by row, so that memory does not grow with the table.
    book = Workbook(str(path), {"constant_memory": True, "nan_inf_to_errors": True})
    number = cut = 0
    try:
        page = book.add_worksheet("keysift")
        head = book.add_format({"bold": True})
        formats = {
            datetime: book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
            date: book.add_format({"num_format": "yyyy-mm-dd"}),
        }
        page.freeze_panes(1, 0)
        for frame in chain([first], coming):
            check_rows(number + frame.height, frame.width)
            cut += too_long(frame)
            for column, name in enumerate(frame.columns if not number else ()):
                page.write_string(0, column, name[:LONGEST], head)
            for row in cut_to_cells(frame.with_columns(_plain(frame[name]) for name in frame.columns)).iter_rows():
                number += 1
                for column, value in enumerate(row):
                    _write_cell(page, number, column, value, formats)
        book.close()
    except XlsxWriterException as error:
        raise OutputError(f"Cannot write the spreadsheet: {error}; choose another place.") from error
    if cut:
        warn(
            f"{cut:,} texts are longer than a cell of a spreadsheet and were cut after {LONGEST:,} characters; .csv and"
            " .parquet keep them whole."
        )


def _plain(column: pl.Series) -> pl.Series:
    """Columns that a cell cannot hold exactly as strings."""
    dtype = column.dtype
    if dtype.is_integer() and not column.is_between(-EXACT, EXACT).all():
        return column.cast(pl.String)
    if dtype == pl.Date and (column < FIRST_DATE).any():
        return column.cast(pl.String)
    if isinstance(dtype, pl.Datetime) and (dtype.time_zone or (column.dt.date() < FIRST_DATE).any()):
        return column.dt.to_string("iso")
    if dtype == pl.Time or isinstance(dtype, pl.Categorical | pl.Enum | pl.Decimal):
        return column.cast(pl.String)
    return column


def _write_cell(page: "Worksheet", row: int, column: int, value: Any, formats: "dict[type[date], Format]") -> None:
    match value:
        case None | "":
            pass
        case str():
            page.write_string(row, column, value)
        case bool():
            page.write_boolean(row, column, value)
        case int() | float() | Decimal():
            page.write_number(row, column, value)
        case datetime() | date():
            page.write_datetime(row, column, value, formats[type(value)])
        case _:
            page.write_string(row, column, str(value))
