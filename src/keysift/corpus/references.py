"""References of a reference manager: RIS to a table, and a table to RIS.

A field becomes a column with a plain name, where it has one, else `ris_` and its tag. The column `ris_tags` keeps the
order of the fields, so that what was read is written back field by field. Whatever has no tag of its own, such as rank,
score and decision, is written as a note `keysift rank: 1`, and such notes are read as columns again.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import polars as pl

from keysift.corpus.tagged import LOOSE_RIS, RIS, Record, tagged_records
from keysift.errors import InputError

FIELDS: dict[str, tuple[str, ...]] = {
    "reference_type": ("TY",),
    "title": ("TI", "T1"),
    "abstract": ("AB", "N2"),
    "authors": ("AU", "A1"),
    "keywords": ("KW",),
    "year": ("PY", "Y1"),
    "journal": ("JO", "JF", "T2", "JA"),
    "doi": ("DO",),
    "urls": ("UR",),
    "volume": ("VL",),
    "issue": ("IS",),
    "start_page": ("SP",),
    "end_page": ("EP",),
    "issn": ("SN",),
    "publisher": ("PB",),
    "language": ("LA",),
    "accession_number": ("AN",),
    "notes": ("N1",),
}
"""Columns and their tags in RIS; of several, the first that a record has is the column."""
LISTS = {"authors", "keywords", "urls", "notes"}
"""Columns with a list in every row."""
TAGS = "ris_tags"
OWN = re.compile(r"keysift (?P<name>[^:]+): (?P<value>.*)")
BREAK = re.compile(r"\s*[\r\n]\s*")
TYPES: dict[str, type[pl.DataType]] = dict.fromkeys(("rank", "decision"), pl.Int64)
TYPES |= dict.fromkeys(("score", "chance"), pl.Float64)
"""What is a number in a note of ours."""
NOT_NOTED = {"document", "pseudo_positive", "matched", "words", TAGS}
"""Columns that no reference manager needs: the evidence says the same in words."""
MEDLINE_PREFIX = "medline_"
"""How the name of a column begins that only PubMed has; RIS has no place for it."""


def read_ris(data: bytes, source: str) -> pl.DataFrame:
    r"""The references of a RIS file, one a row, with title and abstract as `text`.

    >>> frame = read_ris(b"TY  - JOUR\nTI  - A goal\nAB  - Late.\nAU  - Doe, J.\nER  - \n", "a.ris")
    >>> frame.select("text", "title", "authors").row(0)
    ('A goal\nLate.', 'A goal', ['Doe, J.'])
    """
    text = data.decode()
    records = tagged_records(text, RIS) or tagged_records(text, LOOSE_RIS)
    if not records:
        if not text.strip():
            return pl.DataFrame()
        raise InputError(
            f"{source}: it is no RIS, because no line begins with 'TY  - '; export it as RIS again, or choose another"
            " format with format=."
        )
    frame = reference_table([_columns(record) for record in records])
    if "id" in frame.columns:  # of a ranking whose references had none of their own
        return frame if _is_id(frame["id"]) else frame.rename({"id": "id_input"})
    if "ris_ID" in frame.columns and _is_id(frame["ris_ID"]):
        frame = frame.rename({"ris_ID": "id"}).select("id", pl.exclude("id"))
    return frame


def reference_table(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """References with the columns that at least one of them has, `text` first.

    >>> reference_table([{"title": "A goal"}, {"abstract": "Late.", "keywords": ["ice"]}]).rows()
    [('A goal', 'A goal', None, None), ('Late.', None, 'Late.', ['ice'])]
    """
    if not rows:
        return pl.DataFrame()
    seen = dict.fromkeys(name for row in rows for name in row)
    known = [name for name in ("id", *FIELDS) if name in seen]
    others = [name for name in seen if name not in known and name not in ("text", TAGS)]
    names = [*known, *others, *({TAGS} & seen.keys())]
    columns = [_column(name, [row.get(name) for row in rows]) for name in names]
    texts = [row.get("text") or joined(row.get("title"), row.get("abstract")) for row in rows]
    frame = pl.DataFrame([pl.Series("text", texts, dtype=pl.String), *columns])
    return frame.select("id", pl.exclude("id")) if "id" in seen else frame


def joined(title: str | None, abstract: str | None) -> str:
    r"""Title and abstract as one text.

    >>> joined("A goal", "Late."), joined(None, "Late.")
    ('A goal\nLate.', 'Late.')
    """
    return "\n".join(filter(None, (title, abstract)))


def _columns(record: Record) -> dict[str, Any]:
    """The fields of one RIS record by the names of their columns."""
    row: dict[str, Any] = {}
    values: dict[str, list[str]] = {}
    tags: list[str] = []
    for tag, value in record:
        if tag == "N1" and (note := OWN.fullmatch(value)) and _may_be_note(note["name"]) and note["name"] not in row:
            row[note["name"]] = note["value"]
            continue
        values.setdefault(tag, []).append(value)
        tags.append(tag)
    for name, choices in FIELDS.items():
        if found := [tag for tag in choices if tag in values]:
            row[name] = values.pop(found[0]) if name in LISTS else values[found[0]].pop(0)
    row |= {f"ris_{tag}": left for tag, left in values.items() if left}
    row[TAGS] = " ".join(tags)
    return row


def _may_be_note(name: str) -> bool:
    return name not in FIELDS and not name.startswith("ris_")


def _column(name: str, values: list[Any]) -> pl.Series:
    if name in TYPES:
        return pl.Series(name, values, dtype=pl.String).cast(TYPES[name], strict=False)
    if name == "evidence":  # an empty note is not written
        values = [value or "" for value in values]
    if name in LISTS:
        return pl.Series(name, values, dtype=pl.List(pl.String))
    if any(isinstance(value, list) and len(value) > 1 for value in values):
        return pl.Series(name, values, dtype=pl.List(pl.String))
    plain = [value[0] if isinstance(value, list) else value for value in values]
    return pl.Series(name, plain, dtype=pl.String)


def _is_id(column: pl.Series) -> bool:
    return column.dtype == pl.String and column.null_count() == 0 and not column.is_duplicated().any()


def as_ris(frame: pl.DataFrame) -> Iterable[str]:
    r"""The rows of a table as RIS records, one string each; what was read from RIS has every field it had.

    >>> print(*as_ris(pl.DataFrame({"rank": [1], "title": ["A goal"], "authors": [["Doe, J."]]})), sep="\n")
    TY  - GEN
    TI  - A goal
    AU  - Doe, J.
    N1  - keysift rank: 1
    ER  -
    """
    for row in frame.iter_rows(named=True):
        yield _record(row)


def _record(row: dict[str, Any]) -> str:
    order = str(row.get(TAGS) or "").split()
    fields: dict[str, list[str]] = {}
    notes: list[str] = []
    for name, value in row.items():
        if value is None or name in NOT_NOTED or name == "text" or name.startswith(MEDLINE_PREFIX):
            continue  # the text is seen to at the end
        if name in FIELDS:
            tag = next((tag for tag in FIELDS[name] if tag in order), FIELDS[name][0])
            # Before those of `ris_` and the same tag, which are what the record had more than once.
            fields[tag] = _values(value, lists=name in LISTS) + fields.get(tag, [])
        elif name.startswith("ris_"):
            tag = name.removeprefix("ris_")
            fields[tag] = fields.get(tag, []) + _values(value, lists=True)
        elif name == "id" and (not order or "ID" in order) and "ris_ID" not in row:
            fields["ID"] = _values(value, lists=False)
        elif said := _values(value, lists=False)[0]:
            notes.append(f"keysift {name}: {said}")
    _put_text(row, fields, notes)
    kind = fields.pop("TY", [""])[0]
    lines = [("TY", kind if kind or "TY" in order else "GEN")]
    for tag in (*order, *(tag for tag, left in fields.items() for _ in left)):
        if fields.get(tag):
            lines.append((tag, fields[tag].pop(0)))
    lines += [("N1", note) for note in notes]
    return "\n".join(f"{tag}  - {value}" for tag, value in (*lines, ("ER", ""))) + "\n"


def _put_text(row: dict[str, Any], fields: dict[str, list[str]], notes: list[str]) -> None:
    """A text that is not title and abstract is the abstract, or a note where there is one already."""
    text = row.get("text")
    if not isinstance(text, str) or text == joined(row.get("title"), row.get("abstract")):
        return
    if not fields.get("AB") and not row.get("abstract"):
        fields["AB"] = _values(text, lists=False)
    else:
        notes.append(f"keysift text: {_values(text, lists=False)[0]}")


def _values(value: Any, *, lists: bool) -> list[str]:
    if lists and isinstance(value, str) and value.startswith("["):  # a list as .csv has it
        with suppress(ValueError, RecursionError):
            found = json.loads(value)
            value = found if all(isinstance(item, str) for item in found) else value
    if not isinstance(value, list):
        return [_line(value)]
    if lists:
        return [_line(item) for item in value if item is not None]
    return [_line(json.dumps(value, ensure_ascii=False, default=str))]


def _line(value: Any) -> str:
    """One line: a line break would end the field."""
    return BREAK.sub(" ", str(value)).strip()
