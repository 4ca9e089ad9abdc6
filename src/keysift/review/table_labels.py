"""Answers that a table has already: one column, read as an audit reads its answers."""

from collections.abc import Sequence

import polars as pl

from keysift.audit.answers import ALLOWED, parse_answer
from keysift.errors import InputError, listed

MOST = 3
"""Contradictions that an error names."""


def labels_of(frame: pl.DataFrame, column: str, hashes: Sequence[str], source: str) -> dict[int, str]:
    """y, n or unsure by the place of the document; the same text twice with different answers is refused.

    >>> frame = pl.DataFrame({"relevant": ["yes", None, "0"]})
    >>> labels_of(frame, "relevant", ["a", "b", "c"], "docs.csv")
    {0: 'y', 2: 'n'}
    >>> labels_of(frame, "relevant", ["a", "b", "a"], "docs.csv")
    Traceback (most recent call last):
    keysift.errors.InputError: docs.csv: the same text has different answers in 'relevant': rows 1 (y) and 3 (n); make
    them agree, or leave one empty.
    """
    if column not in frame.columns:
        raise InputError(
            f"{source} has no column {column!r}; the columns are {listed(frame.columns)}; name one with labels=."
        )
    labels: dict[int, str] = {}
    first: dict[str, int] = {}
    contradictions = []
    for place, (hashed, text) in enumerate(zip(hashes, frame[column].cast(pl.String), strict=True)):
        answer = parse_answer(text)
        if answer is None:
            raise InputError(
                f"{source}: row {place + 1} has {text!r:.60} in {column!r}; allowed is {ALLOWED}, or nothing."
            )
        if not answer:
            continue
        labels[place] = answer
        before = first.setdefault(hashed, place)
        if labels[before] != answer:
            contradictions.append(f"rows {before + 1} ({labels[before]}) and {place + 1} ({answer})")
    if contradictions:
        more = f" and {len(contradictions) - MOST} more" if len(contradictions) > MOST else ""
        raise InputError(
            f"{source}: the same text has different answers in {column!r}: {', '.join(contradictions[:MOST])}{more};"
            " make them agree, or leave one empty."
        )
    return labels
