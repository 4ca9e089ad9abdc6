"""What kind of bytes come from standard input, which has no name to tell."""

import csv
import json
import re

from keysift.corpus.beginnings import LOOKED_AT, textual_kind
from keysift.corpus.diagnosis import long_fields
from keysift.corpus.separated import separator_of
from keysift.corpus.well_known import is_known, is_text, looks_like_data
from keysift.errors import listed, warn

MOST_ROWS = 100
NAME = re.compile(r"\w[\w .\-/#()]*", re.ASCII)
"""A name of a column; prose has a space after the comma."""


def sniff(data: bytes, source: str, no_header: bool = False) -> str:
    r"""The format of text: references, mail, a page, jsonl, csv, tsv, or else txt, one document a line; it is said.

    Whoever says that there is no header says that there is a table.

    >>> sniff(b'{"text": "a goal"}\n', "standard input")
    'jsonl'
    """
    if no_header:
        return "tsv" if separator_of(data[:LOOKED_AT]) == "\t" else "csv"
    if begun := textual_kind(data):
        warn(f"{source} looks like {begun} and was read so; if each line is a document, choose format='txt'.")
        return begun
    sample = data[:LOOKED_AT].decode("utf-8", "replace")
    lines = sample.splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "")
    if _is_object(first):
        return "jsonl"
    names = _header(lines, separator := separator_of(data[:LOOKED_AT]))
    if not names:
        if data.strip():
            warn(
                f"{source} was read as lines, each a document; if it is anything else, choose its format with format=."
            )
        return "txt"
    kind = "tsv" if separator == "\t" else "csv"
    warn(
        f"{source} looks like {kind} with the columns {listed(names)} and was read so; if each line is a document,"
        " choose format='txt'."
    )
    return kind


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return len(line) >= LOOKED_AT  # so long that it is cut


def _header(lines: list[str], separator: str) -> list[str]:
    """The names of the columns, if the lines are a table with a header."""
    rows: list[list[str]] = []
    with long_fields():
        try:
            for row in csv.reader(lines, delimiter=separator):
                if row:
                    rows.append(row)
                if len(rows) == MOST_ROWS:
                    break
        except csv.Error:
            return []
    if len(rows) < 2:
        return []
    names = rows[0]
    if len(names) == 1:
        return names if is_text(names[0]) else []
    if any(map(looks_like_data, names)):
        return []
    simple = all(NAME.fullmatch(name) for name in names)
    if simple and any(map(is_text, names)):
        return names  # a row that does not fit is a fault of the table
    # The last row may be cut, or be all that follows a quote.
    even = all(len(row) == len(names) for row in rows[1 : None if len(rows) < 3 else -1])
    return names if even and (simple or any(map(is_known, names))) else []
