"""Records of lines that begin with a tag, as RIS and MEDLINE have them; nothing of a record is lost.

Written here, because the libraries for it drop a record without an end and the second value of a field.
"""

import re
from dataclasses import dataclass

Record = list[tuple[str, str]]
"""The fields of a record in their order: tag and value."""


@dataclass(frozen=True)
class Layout:
    """How the lines of a format look."""

    line: re.Pattern[str]
    """A line with a `tag` and a `value`; any other line goes on with the value before it."""
    start: str
    """The tag of the first field."""
    end: str | None
    """The tag after the last field, where the format has one."""


RIS = Layout(re.compile(r"(?P<tag>[A-Z][A-Z0-9])  -(?: (?P<value>.*))?"), "TY", "ER")
LOOSE_RIS = Layout(re.compile(r"(?P<tag>[A-Z][A-Z0-9]) {0,2}-(?: (?P<value>.*))?"), "TY", "ER")
"""With fewer spaces than the format asks for."""
MEDLINE = Layout(re.compile(r"(?P<tag>[A-Z][A-Z0-9]{1,3}) {0,2}- (?P<value>.*)"), "PMID", None)


def tagged_records(text: str, layout: Layout) -> list[Record]:
    r"""The records of a text; whatever stands outside of them is passed over.

    >>> tagged_records("TY  - JOUR\nTI  - A goal\n      in winter\nER  - \n", RIS)
    [[('TY', 'JOUR'), ('TI', 'A goal in winter')]]
    """
    records: list[list[tuple[str, list[str]]]] = []
    inside = False
    for line in text.split("\n"):
        match = layout.line.fullmatch(line.rstrip().lstrip("\ufeff"))
        if match is None:
            if inside:
                records[-1][-1][1].append(line.strip())
            continue
        tag, value = match["tag"], [(match["value"] or "").strip()]
        if tag == layout.start:  # a record that is not ended ends here
            records.append([(tag, value)])
            inside = True
        elif tag == layout.end:
            inside = False
        elif inside:
            records[-1].append((tag, value))
    return [[(tag, " ".join(filter(None, lines))) for tag, lines in record] for record in records]
