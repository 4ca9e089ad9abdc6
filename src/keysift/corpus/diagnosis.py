"""Where exactly a source is broken: slow, simple passes, run only after the fast way has failed."""

import codecs
import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

LONGEST_FIELD = 2**31 - 1  # The most that the csv module accepts on every platform.
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""Half of a character as JSON writes it; it takes two."""
UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def undecodable(data: bytes, encoding: str) -> str:
    r"""Say which line is not in the encoding, and which other to try.

    >>> undecodable(b"a goal\ncaf\xe9\n", "utf-8")
    "line 2 is not valid utf-8 (byte 0xe9); name the file's encoding, for example encoding='latin-1'"
    """
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"line {line} is not valid {encoding} (byte 0x{data[error.start]:02x})"
    except UnicodeError as error:  # Some codecs do not say where.
        what = f"it is not valid {encoding} ({error})"
    else:
        what = f"it is not valid {encoding}"
    likely = "utf-16" if data.startswith(UTF_16_MARKS) else "latin-1"
    if codecs.lookup(encoding) == codecs.lookup(likely):
        likely = "utf-8"
    return f"{what}; name the file's encoding, for example encoding={likely!r}"


def csv_fault(data: bytes, separator: str, *, first: str = "header", quoted: bool = True) -> str | None:
    r"""Name the first row that does not fit the first one, or None if there is none.

    >>> csv_fault(b'id,text\n1,"two\nlines"\n2\n', ",")
    "line 4: the row has 1 field, the header has 2; give every row as many, and quote a field that contains ','..."
    """
    width, start = 0, 1
    with long_fields():
        rows = csv.reader(
            _lines(data), delimiter=separator, strict=True, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        )
        try:
            for fields in rows:
                width = width or len(fields)
                if fields and len(fields) != width:
                    return (
                        f"line {start}: the row has {_fields(len(fields))}, the {first} has {width}; "
                        f"give every row as many, and quote a field that contains {separator!r} or a line break"
                    )
                start = rows.line_num + 1
        except csv.Error:
            found = len(next(csv.reader(islice(_lines(data), start - 1, None), delimiter=separator)))
            return (
                f"line {start}: the row has a quote that is never closed, or not doubled within its field "
                f"({_fields(found)} found, {width or found} in the {first}); close it, or double it, or say that"
                " quotes mean nothing with quote='none'"
            )
    return None


def first_folded_line(data: bytes, separator: str) -> int:
    r"""The line on which the first row begins that has more than one.

    >>> first_folded_line(b'id,text\n1,rain\n2,"two\nlines"\n', ",")
    3
    """
    start = 1
    with long_fields():
        rows = csv.reader(_lines(data), delimiter=separator)
        for _ in rows:
            if rows.line_num > start:
                break
            start = rows.line_num + 1
    return start


def all_rows(data: bytes, separator: str) -> list[list[str]]:
    r"""Every row of a valid csv with quotes where polars does not accept them; blank lines are left out.

    >>> all_rows(b'id,text\n1,a 5" disk\n\n', ",")
    [['id', 'text'], ['1', 'a 5" disk']]
    """
    with long_fields():
        return [fields for fields in csv.reader(_lines(data), delimiter=separator) if fields]


def jsonl_fault(data: bytes) -> str | None:
    r"""Name the first line that is not a JSON object, or that gives a key a different kind of value.

    >>> jsonl_fault(b'{"text": "a goal"}\n\n{"text": "a g')
    'line 3 is not valid JSON (Unterminated string starting at column 10); write one JSON object per line'
    >>> jsonl_fault(b'{"tags": ["a"]}\n{"tags": 1}\n')
    "line 2: 'tags' is a number, but a list on line 1; give each key one kind of value"
    """
    seen: dict[str, tuple[str, int]] = {}
    conflict = None
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line, parse_constant=_refuse)
        except json.JSONDecodeError as error:
            return (
                f"line {number} is not valid JSON ({error.msg.removesuffix(' at')} at column {error.colno}); "
                "write one JSON object per line"
            )
        except (ValueError, RecursionError) as error:
            return f"line {number} is not valid JSON ({error}); write one JSON object per line"
        if not isinstance(entry, dict):
            return f"line {number} is {_kind(entry)}, not a JSON object; write one JSON object per line"
        for key, value in entry.items():
            if value is None or conflict:
                continue
            kind, first = seen.setdefault(key, (_kind(value), number))
            if kind != _kind(value):
                conflict = (
                    f"line {number}: {key!r} is {_kind(value)}, but {kind} on line {first}; "
                    "give each key one kind of value"
                )
    return conflict


def half_character(data: bytes) -> str | None:
    r"""Name the first line of JSON that holds a surrogate without its partner, or None if there is none.

    >>> half_character(rb'{"text": "\ud83d\ude00"}'), half_character(b'{}\n{"text": "\\ud83d!"}')
    (None, 'line 2 holds half of a character (\\ud83d); write the whole of it, or leave it out')
    """
    if not SURROGATE.search(data):
        return None
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not SURROGATE.search(line):
            continue
        try:
            json.dumps(json.loads(line), ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(error.object[error.start]):04x}"
            return f"line {number} holds half of a character ({half}); write the whole of it, or leave it out"
        except (ValueError, RecursionError):
            continue  # it is no JSON, which others say
    return None


def _lines(data: bytes) -> io.StringIO:
    text = data.decode() + ("\n" if data.endswith(b"\r") else "")
    # The csv module ends a row at a lone carriage return, polars does not; a space stands in for it.
    return io.StringIO(text.replace("\r\n", "\n").replace("\r", " "), newline="\n")


@contextmanager
def long_fields() -> Iterator[None]:
    """Let the csv module read a field of any length while the block runs."""
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _fields(count: int) -> str:
    return f"{count} field" if count == 1 else f"{count} fields"


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def _kind(value: object) -> str:
    match value:
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return "a string"
        case bool():
            return "true or false"
        case None:
            return "null"
        case _:
            return "a number"
