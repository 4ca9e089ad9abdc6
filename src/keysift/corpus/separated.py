"""Tables with a separator between fields (csv, tsv): read by polars, and proved against the bytes."""

import csv
import io
import re
from collections.abc import Iterable
from itertools import count

import polars as pl

from keysift.corpus import diagnosis
from keysift.corpus.rows import Rows, count_rows
from keysift.corpus.well_known import is_known, looks_like_data
from keysift.errors import InputError, listed, warn

QUOTING = ("auto", "double", "none")
"""What a quote means: the beginning and end of a field, where it is doubled; or nothing."""
SEPARATOR_LINE = re.compile(rb"sep=([,;\t])\r?\n", re.IGNORECASE)
FOLDS = 3
"""So many lines within quotes that each look like a row are rows: in a csv fewer may be an accident."""


def read_comma_separated(data: bytes, source: str, *, no_header: bool = False, quote: str = "auto") -> pl.DataFrame:
    r"""Commas, or the semicolons that spreadsheets write where the comma marks decimals, or tabs.

    >>> read_comma_separated(b"id;text\n1;a goal, late\n", "news.csv").rows()
    [('1', 'a goal, late')]
    """
    separator = separator_of(data)
    if told := SEPARATOR_LINE.match(data):  # as spreadsheets write it for each other
        separator, data = told[1].decode(), data[told.end() :]
    return read_separated(data, source, separator=separator, no_header=no_header, quote=quote)


def separator_of(data: bytes) -> str:
    r"""What separates the fields of a csv, by its first line.

    >>> separator_of(b"id,text"), separator_of(b'id;"a, b"\n1;2'), separator_of(b"text")
    (',', ';', ',')
    """
    header = re.sub(rb'"[^"\n]*"', b"", data.lstrip(b"\r\n").partition(b"\n")[0])
    return next((mark for mark in ",;\t" if mark.encode() in header), ",")


def read_separated(
    data: bytes, source: str, *, separator: str, no_header: bool = False, quote: str = "auto"
) -> pl.DataFrame:
    r"""Read a table whose columns are all text.

    With `no_header` the first row is a document like all others. `quote` is "double" (a field that begins with a quote
    ends with one, and is doubled within), "none" (a quote is a character like any other), or "auto": "double", unless
    a tab-separated file can only be read the other way.

    >>> read_separated(b'id\ttext\n1\t"a ""late"" goal"\n', "news.tsv", separator="\t").rows()
    [('1', 'a "late" goal')]
    >>> read_separated(b"1\ta goal\n", "news.tsv", separator="\t", no_header=True).columns
    ['column_1', 'column_2']
    """
    if quote not in QUOTING:
        raise InputError(f"quote must be one of {', '.join(QUOTING)}; got {quote!r}.")
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # as old Macintoshes end lines
    elif data.endswith(b"\r"):
        data += b"\n"
    rows = count_rows(data, separator, quoted=quote != "none")
    if rows.blank.all():
        return pl.DataFrame()
    if rows.quotes and not rows.opened:
        rows = count_rows(data, separator, quoted=False)  # 5" disk: no field begins with a quote, so none is quoted
    if quote == "auto" and rows.quotes:
        rows = _settle_quotes(data, source, separator, rows)
    quoted = rows.quotes > 0
    if not rows.sound:
        _refuse(data, source, separator, no_header)
        return _slowly(data, source, separator, no_header)
    if not rows.even:
        _refuse(data, source, separator, no_header, quoted=quoted)
    frame = _fast(data, source, separator, rows, no_header)
    return _slowly(data, source, separator, no_header) if frame is None else frame


def quotes_matter(data: bytes, source: str, separator: str, quote: str = "auto") -> bool | None:
    r"""Whether a quote begins and ends a field, by the beginning of a table; None where its rows cannot be told.

    >>> quotes_matter(b'id,text\n1,"a, b"\n', "f", ","), quotes_matter(b'id,text\n1,a 5" disk\n', "f", ",")
    (True, False)
    """
    rows = count_rows(data, separator, quoted=quote != "none")
    if rows.quotes and not rows.opened:
        return False
    if quote == "auto" and rows.quotes:
        rows = _settle_quotes(data, source, separator, rows)
    return rows.quotes > 0 if rows.sound else None


def _settle_quotes(data: bytes, source: str, separator: str, rows: Rows) -> Rows:
    """The rows without a meaning of quotes, where only that makes sense."""
    loose = not rows.sound and diagnosis.csv_fault(data, separator) is not None
    if not loose and not rows.folded:
        return rows
    plain = count_rows(data, separator, quoted=False)
    if not plain.even or plain.fields[~plain.blank][0] < 2:
        return rows
    # Without quotes every line has as many fields as the first: rows would be merged.
    if separator == "\t":
        warn(
            f"{source}: quotes do not close within their lines, so they were read as plain characters, as with"
            " quote='none'; quote='double' reads them as quotes."
        )
        return plain
    if rows.folded < FOLDS or loose:
        return rows
    line = diagnosis.first_folded_line(data, separator)
    raise InputError(
        f"{source}: line {line}: a quote opens here and closes only lines later, though every line has as many fields"
        f" as the first, so {rows.folded:,} lines would be lost in others; close or double the quote, or say"
        " quote='none' (each line is a row) or quote='double' (it is right)."
    )


def _refuse(data: bytes, source: str, separator: str, no_header: bool, *, quoted: bool = True) -> None:
    fault = diagnosis.csv_fault(data, separator, first="first row" if no_header else "header", quoted=quoted)
    if fault:
        raise InputError(f"{source}: {fault}.")


def _fast(data: bytes, source: str, separator: str, rows: Rows, no_header: bool) -> pl.DataFrame | None:
    """What polars reads; None where that is not what the bytes hold."""
    data, rows = rows.without_blank(data)
    quoted = rows.quotes > 0
    written = [] if no_header else _first_row(data[: int(rows.sizes[0])], separator, quoted)
    names = _names(written, int(rows.fields[0]), source)
    if not no_header and len(rows.sizes) == 1:
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    try:
        frame = pl.read_csv(
            data,
            separator=separator,
            has_header=False,
            skip_rows=0 if no_header else 1,
            schema=dict.fromkeys(names, pl.String),
            quote_char='"' if quoted else None,
        ).fill_null("")
    except pl.exceptions.PolarsError:
        return None
    # The rows, and the bytes of all fields: what was left out or read twice would show.
    inner = sum(name.count('"') for name in written)
    size = sum(len(name.encode()) for name in written)
    if not frame.is_empty():
        size += sum(frame.select(pl.all().str.len_bytes().cast(pl.Int64).sum()).row(0))
        if quoted:
            inner += sum(frame.select(pl.all().str.count_matches('"', literal=True).cast(pl.Int64).sum()).row(0))
    marks = int((rows.fields - 1).sum()) + rows.breaks
    expected = len(data) - marks - (rows.quotes - inner if quoted else 0)
    if frame.height != len(rows.sizes) - (not no_header) or size != expected:
        return None
    _tell_data_in_header(written, frame, source)
    return frame


def _slowly(data: bytes, source: str, separator: str, no_header: bool) -> pl.DataFrame:
    """A table with quotes where polars does not accept them, row by row."""
    header, *rows = diagnosis.all_rows(data, separator)
    if no_header:
        rows, names = [header, *rows], _names([], len(header), source)
    else:
        names = _names(header, len(header), source)
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    _tell_data_in_header([] if no_header else header, frame, source)
    return frame


def _first_row(line: bytes, separator: str, quoted: bool) -> list[str]:
    text = line.decode().removesuffix("\n").removesuffix("\r")
    if not quoted:
        return text.split(separator)
    with diagnosis.long_fields():
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [""])


def _names(written: list[str], width: int, source: str) -> list[str]:
    """The names of the columns, each once; without a header they are counted."""
    if not written:
        return ["text"] if width == 1 else [f"column_{number}" for number in range(1, width + 1)]
    names: list[str] = []
    for name in written:
        free = (f"{name}_{number}" for number in count(2))
        names.append(name if name not in names else next(new for new in free if new not in (*names, *written)))
    if renamed := [name for name, before in zip(names, written, strict=True) if name != before]:
        twice = dict.fromkeys(name for name in written if written.count(name) > 1)
        warn(f"{source} has more than one column {listed(twice)}; the others are read as {listed(renamed)}.")
    return names


def _tell_data_in_header(written: Iterable[str], frame: pl.DataFrame, source: str) -> None:
    if any(map(is_known, written)):
        return
    if doubtful := [
        name
        for name, column in zip(written, frame, strict=False)
        if looks_like_data(name) or (name and int((column == name).sum()) > 1)
    ]:
        warn(
            f"{source}: its first row looks like data ({doubtful[0]!r:.60}), but was taken for the names of the"
            " columns; if it is a document, say so with no_header=."
        )
