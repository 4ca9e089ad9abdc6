from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.medline import pages_of, read_medline
from keysift.corpus.reading import read_table
from keysift.corpus.references import as_ris
from keysift.corpus.tagged import MEDLINE, tagged_records
from keysift.corpus.writing import write

FILE = """\

PMID- 123
OWN - NLM
IS  - 0028-4793 (Print)
IS  - 1533-4406 (Electronic)
VI  - 3
DP  - 1990 Jan 4
TI  - A goal in
      winter.
PG  - 1001-9
LID - 10.1/x [doi]
LID - 77 [pii]
AB  - Late.
FAU - Doe, Jane
AU  - Doe J
AD  - Ice Hall, Oslo
FAU - Roe, R
AU  - Roe R
AD  - Sports School
LA  - eng
PT  - Journal Article
PT  - Review
PL  - Norway
TA  - Sport
JT  - Sports
OT  - ice
MH  - Hockey/*injuries
PMC - PMC9

PMID- 124
TI  - Rain.
AU  - Poe E
"""


def test_fields_are_columns() -> None:
    first, second = read_medline(FILE.encode(), "a.nbib").rows(named=True)
    assert first == {
        "id": "123",
        "text": "A goal in winter.\nLate.",
        "reference_type": "JOUR",
        "title": "A goal in winter.",
        "abstract": "Late.",
        "authors": ["Doe, Jane", "Roe, R"],
        "keywords": ["ice", "Hockey/*injuries"],
        "year": "1990",
        "journal": "Sports",
        "doi": "10.1/x",
        "volume": "3",
        "start_page": "1001",
        "end_page": "1009",
        "issn": "0028-4793",
        "language": "eng",
        "ris_AD": ["Ice Hall, Oslo", "Sports School"],
        "ris_M3": ["Journal Article", "Review"],
        "ris_CY": "Norway",
        "ris_JA": "Sport",
        "ris_C2": "PMC9",
        "medline_OWN": "NLM",
        "medline_IS": ["0028-4793 (Print)", "1533-4406 (Electronic)"],
        "medline_DP": "1990 Jan 4",
        "medline_PG": "1001-9",
        "medline_LID": ["10.1/x [doi]", "77 [pii]"],
        "medline_AU": ["Doe J", "Roe R"],
    }
    assert (second["text"], second["authors"], second["keywords"]) == ("Rain.", ["Poe E"], None)


def test_references_of_pubmed_as_ris(tmp_path: Path) -> None:
    frame = read_medline(FILE.encode(), "a.nbib")
    first, second = as_ris(frame)
    assert first == (
        "TY  - JOUR\nID  - 123\nTI  - A goal in winter.\nAB  - Late.\nAU  - Doe, Jane\nAU  - Roe, R\nKW  - ice\n"
        "KW  - Hockey/*injuries\nPY  - 1990\nJO  - Sports\nDO  - 10.1/x\nVL  - 3\nSP  - 1001\nEP  - 1009\n"
        "SN  - 0028-4793\nLA  - eng\nAD  - Ice Hall, Oslo\nAD  - Sports School\nM3  - Journal Article\nM3  - Review\n"
        "CY  - Norway\nJA  - Sport\nC2  - PMC9\nER  - \n"
    )
    assert second == "TY  - GEN\nID  - 124\nTI  - Rain.\nAU  - Poe E\nER  - \n"
    write(frame, tmp_path / "a.ris")
    again, _ = read_table(tmp_path / "a.ris")
    assert again["ris_M3"].to_list() == [["Journal Article", "Review"], None]
    assert again["title"].to_list() == frame["title"].to_list()


def test_a_chapter_has_the_title_of_its_book() -> None:
    frame = read_medline(b"PMID- 1\nBTI - Goals\nTI  - A goal\n\nPMID- 2\nBTI - Rain\n", "a.nbib")
    assert frame["reference_type"].to_list() == ["CHAP", "BOOK"]
    assert frame["title"].to_list() == ["A goal", "Rain"]
    assert frame["ris_T2"].to_list() == ["Goals", None]


VALUE = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=6)
TAGS = ["TI", "BTI", "AB", "FAU", "AU", "OT", "MH", "DP", "JT", "TA", "VI", "PG", "LID", "AD", "PT", "IS", "OWN", "XYZ"]


@given(fields=st.lists(st.tuples(st.sampled_from(TAGS), VALUE), max_size=12))
def test_no_value_is_lost(fields: list[tuple[str, str]]) -> None:
    text = "PMID- 1\n" + "".join(f"{tag:4}- {value}\n" for tag, value in fields)
    assert tagged_records(text, MEDLINE) == [[("PMID", "1"), *fields]]
    row = read_medline(text.encode(), "a.nbib").row(0, named=True)
    kept = {item for value in row.values() for item in (value if isinstance(value, list) else [value])}
    assert {value for _, value in fields} <= kept


@pytest.mark.parametrize(
    ("pages", "start", "end"),
    [
        ("1-9", "1", "9"),
        ("98-102", "98", "102"),
        ("1234-56", "1234", "1256"),
        ("e12-9", "e12", "e19"),
        ("iv-x", "iv-x", None),
    ],
)
def test_pages(pages: str, start: str, end: str | None) -> None:
    found = pages_of(pages)
    assert (found["start_page"], found.get("end_page")) == (start, end)
