"""A column of vectors: lists of numbers, or the same as JSON where a table holds only text."""

import json
import math

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import InputError, listed

NUMBERS = r"^\s*\[[-+.,\deE\s]*\]\s*$"
NEXT_STEP = "give a list of numbers in every row, all of the same length"


def read_vectors(frame: pl.DataFrame, source: str, name: str) -> NDArray[np.float32]:
    """One vector per row, from the column `name`.

    >>> read_vectors(pl.DataFrame({"v": ["[1, 2]", "[0.5, 3]"]}), "news.csv", "v").tolist()
    [[1.0, 2.0], [0.5, 3.0]]
    >>> read_vectors(pl.DataFrame({"v": [[1.0], [1.0, 2.0]]}), "news.jsonl", "v")
    Traceback (most recent call last):
    keysift.errors.InputError: The vectors in the column 'v' of news.jsonl differ in length: row 1 has 1 number, row 2
    has 2; give a list of numbers in every row, all of the same length.
    """
    if name not in frame.columns:
        raise InputError(
            f"{source} has no column {name!r}; the columns are {listed(frame.columns)}; name the one with the vectors"
            " with vector_column=."
        )
    where = f"the column {name!r} of {source}"
    lists = _lists(frame[name], where)
    lengths = lists.list.len().fill_null(0).to_numpy()
    if not lengths.all():
        raise InputError(f"There is no vector in row {int(np.argmin(lengths != 0)) + 1} of {where}; {NEXT_STEP}.")
    if len(other := np.flatnonzero(lengths != lengths[0])):
        first, row = int(lengths[0]), int(other[0])
        raise InputError(
            f"The vectors in {where} differ in length: row 1 has {first} number{'s' if first > 1 else ''}, row"
            f" {row + 1} has {int(lengths[row])}; {NEXT_STEP}."
        )
    flat = lists.explode().cast(pl.Float64).fill_null(np.nan).to_numpy()
    with np.errstate(over="ignore"):  # too large for a float32 becomes infinite
        vectors = flat.astype(np.float32).reshape(len(lists), -1)
    if len(wrong := np.flatnonzero(~np.isfinite(vectors).all(axis=1))):
        raise InputError(
            f"The vector in row {int(wrong[0]) + 1} of {where} has a number that is missing, NaN or infinite; every"
            " number must be finite."
        )
    return vectors


def _lists(column: pl.Series, where: str) -> pl.Series:
    """The column as lists of numbers."""
    if column.dtype == pl.String:
        try:
            if column.str.contains(NUMBERS).fill_null(False).all():  # polars would take 7 for [7], and true for 1
                return column.str.json_decode(pl.List(pl.Float64))
        except pl.exceptions.PolarsError:
            pass
        row = next((row for row, text in enumerate(column) if not _is_vector(text)), 0)
        raise InputError(
            f"Row {row + 1} of {where} holds {column[row]!r:.40}, not a vector; {NEXT_STEP}, for example [0.5, 2]."
        )
    if isinstance(column.dtype, pl.Array):
        column = column.arr.to_list()
    inner = column.dtype.inner if isinstance(column.dtype, pl.List) else None
    if inner is None or not (inner == pl.Null or pl.Series(dtype=inner).dtype.is_numeric()):
        raise InputError(f"{where[0].upper()}{where[1:]} holds {column.dtype}, not vectors; {NEXT_STEP}.")
    return column


def _is_vector(text: str | None) -> bool:
    try:
        numbers = json.loads(text or "")
    except ValueError:
        return False
    return isinstance(numbers, list) and all(
        type(number) in (int, float) and math.isfinite(number) for number in numbers
    )
