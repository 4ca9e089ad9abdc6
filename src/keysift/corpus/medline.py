"""References as PubMed saves them: MEDLINE (.nbib) to a table, and PubMed's terms in those of RIS."""

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any

import polars as pl

from keysift.corpus.references import LISTS, MEDLINE_PREFIX, reference_table
from keysift.corpus.tagged import MEDLINE, Record, tagged_records
from keysift.errors import InputError

FIELDS = {
    "id": ("PMID",),
    "title": ("TI", "BTI"),
    "abstract": ("AB",),
    "authors": ("FAU", "AU"),
    "keywords": ("OT", "MH"),
    "journal": ("JT", "TA"),
    "volume": ("VI",),
    "issue": ("IP",),
    "language": ("LA",),
    "publisher": ("PB",),
}
"""Columns and their tags in MEDLINE; of several, the first that a record has is the column."""
IN_RIS = {"AD": "AD", "BTI": "T2", "PL": "CY", "PMC": "C2", "PT": "M3", "TA": "JA"}
"""Tags of MEDLINE that have one in RIS, but no column with a plain name."""
KINDS = {
    "Journal Article": "JOUR",
    "Newspaper Article": "NEWS",
    "Academic Dissertation": "THES",
    "Dataset": "DATA",
    "Preprint": "UNPB",
}
"""Types of PubMed and of RIS, the first of them first; whatever else is in a journal is an article, too."""
YEAR = re.compile(r"\b\d{4}\b")
PAGES = re.compile(r"(?P<start>(?P<letters>[A-Za-z]*)(?P<first>\d+))-(?P<mark>[A-Za-z]*)(?P<last>\d+)")


def read_medline(data: bytes, source: str) -> pl.DataFrame:
    r"""The references of a MEDLINE file, as PubMed saves it under .nbib.

    A field without a column of its own is kept as `medline_` and its tag.

    >>> frame = read_medline(b"PMID- 7\nTI  - A goal\n      in winter\nAB  - Late.\nFAU - Doe, Jane\n", "a.nbib")
    >>> frame.select("id", "text", "authors").row(0)
    ('7', 'A goal in winter\nLate.', ['Doe, Jane'])
    """
    text = data.decode()
    records = tagged_records(text, MEDLINE)
    if not records and text.strip():
        raise InputError(
            f"{source}: it is no MEDLINE, because no line begins with 'PMID- '; save it at PubMed in the format"
            " PubMed, or choose another format with format=."
        )
    return reference_table([_columns(record) for record in records])


def kind_of_reference(types: Iterable[str], journal: str | None, book: str | None, title: str | None) -> str | None:
    """The type of a reference in RIS.

    >>> kind_of_reference(["Review", "Journal Article"], None, None, "A goal")
    'JOUR'
    >>> kind_of_reference([], None, "Goals", "A goal"), kind_of_reference([], None, "Goals", None)
    ('CHAP', 'BOOK')
    """
    if book:
        return "CHAP" if title and title != book else "BOOK"
    given = set(types)
    return next((kind for name, kind in KINDS.items() if name in given), "JOUR" if journal else None)


def year_of(date: str) -> str:
    """The year of a date; the date itself where it has none.

    >>> year_of("1990 Jan-Feb"), year_of("Winter 1998"), year_of("soon")
    ('1990', '1998', 'soon')
    """
    found = YEAR.search(date)
    return found[0] if found else date


def pages_of(pages: str) -> dict[str, str]:
    """The first and the last page; PubMed leaves out what the last has in common with the first.

    >>> pages_of("1001-9"), pages_of("S12-S15")
    ({'start_page': '1001', 'end_page': '1009'}, {'start_page': 'S12', 'end_page': 'S15'})
    >>> pages_of("e77"), pages_of("1-9; discussion 20")
    ({'start_page': 'e77'}, {'start_page': '1-9; discussion 20'})
    """
    found = PAGES.fullmatch(pages)
    if found is None:
        return {"start_page": pages}
    common = found["first"][: max(0, len(found["first"]) - len(found["last"]))]
    return {"start_page": found["start"], "end_page": (found["mark"] or found["letters"]) + common + found["last"]}


def _columns(record: Record) -> dict[str, Any]:
    """The fields of one record by the names of their columns."""
    values: dict[str, list[str]] = {}
    for tag, value in record:
        values.setdefault(tag, []).append(value)
    row: dict[str, Any] = {}
    derived = _derived(values)
    for name, choices in FIELDS.items():
        found = [tag for tag in choices if tag in values]
        # Of a name in full and its initials one is enough, but keywords of authors and of PubMed differ.
        used = found if name == "keywords" else found[:1]
        if used:
            several = list(chain.from_iterable(values[tag] for tag in used))
            row[name] = several if name in LISTS else several[0]
        for tag in used:
            values[tag] = [] if name in LISTS else values[tag][1:]
    row |= derived
    row |= {
        f"ris_{IN_RIS[tag]}" if tag in IN_RIS else f"{MEDLINE_PREFIX}{tag}": left
        for tag, left in values.items()
        if left
    }
    return row


def _derived(values: dict[str, list[str]]) -> dict[str, str]:
    """What RIS says in other words than MEDLINE, whose own words are kept beside them."""
    first = {tag: found[0] for tag, found in values.items()}
    kind = kind_of_reference(values.get("PT", ()), first.get("JT", first.get("TA")), first.get("BTI"), first.get("TI"))
    derived = {} if kind is None else {"reference_type": kind}
    if "DP" in first:
        derived["year"] = year_of(first["DP"])
    if "PG" in first:
        derived |= pages_of(first["PG"])
    if "IS" in first:
        derived["issn"] = first["IS"].partition(" ")[0]  # of several, and without (Print) or (Electronic)
    for value in (*values.get("LID", ()), *values.get("AID", ())):
        if value.endswith(" [doi]"):
            derived.setdefault("doi", value.removesuffix(" [doi]"))
    return derived
