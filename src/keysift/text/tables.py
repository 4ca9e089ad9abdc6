"""What to say to a table of pandas or polars where documents are asked for: which of its columns they are in."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import polars as pl

from keysift.corpus.well_known import known_text

LOOKED_AT = 100
"""Rows that tell which column is the longest."""


def column_of_texts(table: Any, names: Sequence[object]) -> str:
    """How to take the texts out of a table: by well-known names, or else the column with most letters.

    >>> table = pl.DataFrame({"id": [1], "Title": ["a"], "Abstract Note": ["b"]})
    >>> column_of_texts(table, table.columns)
    "documents['Title'].fill_null('') + ' ' + documents['Abstract Note'].fill_null('')"
    >>> table = pl.DataFrame({"key": ["x"], "said": ["a goal"]})
    >>> column_of_texts(table, table.columns)
    "documents['said']"
    """
    sizes = {name: _letters(table, name) for name in names}
    known = known_text([name for name in names if isinstance(name, str) and sizes[name]])
    if len(known) > 1:
        filled = "fill_null" if isinstance(table, pl.DataFrame) else "fillna"
        return " + ' ' + ".join(f"documents[{name!r}].{filled}('')" for name in known)
    longest = max(names, key=lambda name: sizes[name], default="text")
    return f"documents[{next(iter(known), longest)!r}]"


def _letters(table: Any, name: object) -> int:
    """How many letters the first texts of a column have; 0 where it holds anything else."""
    return sum(len(value) for value in islice(table[name], LOOKED_AT) if isinstance(value, str))
