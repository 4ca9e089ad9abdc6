"""Dates and times in a column of strings, which are no text."""

import polars as pl

CLOCK = r"\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[ap]\.?m\.?)?( ?(z|utc|gmt|[+-]\d{2}:?\d{2}))?"
MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
WEEKDAY = r"(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? "
IN_NUMBERS = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\.?|\d{4}-\d{2}"
IN_WORDS = rf"\d{{1,2}}[ -]{MONTH}[ -]\d{{2,4}}|{MONTH} \d{{1,2}},? \d{{4}}"
YEAR_LAST = rf"{MONTH} +\d{{1,2}} {CLOCK}( [a-z]+)? \d{{4}}"
TIME = rf"(?i)^({WEEKDAY})?(({IN_NUMBERS}|{IN_WORDS})([t ,]+{CLOCK})?|{CLOCK}|{YEAR_LAST})$"
"""A date, a time of day, or both, as tables and clocks write them."""


def all_times(column: pl.Series) -> bool:
    """Whether all that is in the column are dates or times; not where nothing is in it.

    >>> all_times(pl.Series(["2020-01-06 10:00", ""])), all_times(pl.Series(["in May"])), all_times(pl.Series([""]))
    (True, False, False)
    """
    filled = column.filter(column != "")
    # Mostly the first one tells, and a long column need not be looked at.
    return len(filled) > 0 and bool(filled.head(1).str.contains(TIME).all() and filled.str.contains(TIME).all())
