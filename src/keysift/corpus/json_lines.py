"""JSON lines: one object a line."""

import json
import re
from typing import Any

import polars as pl

from keysift.corpus import diagnosis
from keysift.errors import InputError

EXACT = (pl.Int64, pl.Int32, pl.Boolean, pl.Null)
"""Types in which polars keeps a number as it was written."""


def read_json_lines(data: bytes, source: str, *, id: str | None = None) -> pl.DataFrame:
    r"""Read one object a line; numbers in the key `id` (by default "id") are kept exactly, as text if need be.

    >>> read_json_lines(b'{"id": 12345678901234567890123, "text": "a goal"}\n{"id": 1.50}', "news.jsonl").rows()
    [('12345678901234567890123', 'a goal'), ('1.50', None)]
    """
    if not data or data.isspace():
        return pl.DataFrame()
    if half := diagnosis.half_character(data):  # polars reads it as a NUL
        raise InputError(f"{source}: {half}.")
    try:
        frame = pl.read_ndjson(data, infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{source}: {diagnosis.jsonl_fault(data) or _quoted(error)}.") from error
    if frame.height != (lines := _count_lines(data)):
        fault = diagnosis.jsonl_fault(data) or f"{lines:,} lines gave {frame.height:,} rows"
        raise InputError(f"{source}: {fault}; write one JSON object per line.")
    return _with_exact_ids(frame, data, id or "id")


def _count_lines(data: bytes) -> int:
    """Lines that are not blank, counted without a parser."""
    lines = pl.read_lines(data, name="line")["line"]
    return int((lines.str.strip_chars() != "").sum())


def _with_exact_ids(frame: pl.DataFrame, data: bytes, key: str) -> pl.DataFrame:
    """The same table with ids as they were written, where polars made other numbers or strings of them."""
    if key not in frame.columns or frame.schema[key] in EXACT:
        return frame
    if frame.schema[key] == pl.String and not re.search(rb'"\s*:\s*-?\d', data):
        return frame  # no number anywhere
    # As written: 1 and 1.0 are two ids, and a float would make one of them.
    entries = (json.loads(line, parse_int=_Written, parse_float=_Written) for line in data.split(b"\n") if line.strip())
    values = [entry.get(key) for entry in entries]
    numbers = [value for value in values if isinstance(value, _Written)]
    floats = bool(numbers) and all(not number.lstrip("-").isdigit() for number in numbers)
    if not numbers or (floats and frame.schema[key].is_float()):
        return frame
    return frame.with_columns(pl.Series(key, [_as_text(value) for value in values], dtype=pl.String))


class _Written(str):
    """A number as its letters."""

    __slots__ = ()


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _quoted(error: pl.exceptions.PolarsError) -> str:
    first = str(error).partition("\n")[0].rstrip(".:; ")
    return (
        f"it cannot be read as JSON lines ({first}); write one JSON object per line, or choose another format with"
        " format="
    )
