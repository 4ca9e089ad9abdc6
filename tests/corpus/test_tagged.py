from io import StringIO

import pytest
import rispy
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.tagged import LOOSE_RIS, MEDLINE, RIS, Layout, tagged_records

LINE = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=8)
VALUE = st.lists(LINE, min_size=1, max_size=4).map(" ".join)
FIELDS = st.lists(st.tuples(st.sampled_from(["TI", "AB", "KW", "XX"]), VALUE), max_size=6)


@given(records=st.lists(FIELDS, max_size=4))
def test_what_is_written_is_read(records: list[list[tuple[str, str]]]) -> None:
    text = "".join(
        "TY  - JOUR\n" + "".join(f"{tag}  - {value}\n" for tag, value in fields) + "ER  - \n\n" for fields in records
    )
    assert tagged_records(text, RIS) == [[("TY", "JOUR"), *fields] for fields in records]


def test_it_agrees_with_a_library_on_a_usual_file() -> None:
    text = (
        "TY  - JOUR\nAU  - Doe, Jane\nAU  - Roe, R.\nTI  - A goal\nPY  - 2020\nKW  - ice\nKW  - puck\nER  - \n\n"
        "TY  - BOOK\nTI  - Rain\nAB  - All day long.\nER  - \n"
    )
    ours = [dict(record) for record in tagged_records(text, RIS)]
    theirs = rispy.load(StringIO(text))
    assert [record["TI"] for record in ours] == [record["title"] for record in theirs]
    assert ours[1]["AB"] == theirs[1]["abstract"]
    assert [value for tag, value in tagged_records(text, RIS)[0] if tag == "KW"] == theirs[0]["keywords"]


@pytest.mark.parametrize(
    ("text", "layout", "expected"),
    [
        ("\ufeffTY  - JOUR\r\nTI  - A goal\r\nER  -\r\n", RIS, [[("TY", "JOUR"), ("TI", "A goal")]]),
        ("1.\nTY  - JOUR\nER  - \nfooter\n", RIS, [[("TY", "JOUR")]]),
        ("TY  - JOUR\nTI  - no end", RIS, [[("TY", "JOUR"), ("TI", "no end")]]),
        ("TY  - A\nTI  - x\nTY  - B\n", RIS, [[("TY", "A"), ("TI", "x")], [("TY", "B")]]),
        ("TY  - A\nAB  - one\n\ntwo\n  three\nER  - \n", RIS, [[("TY", "A"), ("AB", "one two three")]]),
        ("TY - A\nTI - x\nER -\n", LOOSE_RIS, [[("TY", "A"), ("TI", "x")]]),
        ("TY - A\n", RIS, []),
        (
            "PMID- 1\nTI  - x\n      y\n\nPMID- 2\nOWN - z\n",
            MEDLINE,
            [[("PMID", "1"), ("TI", "x y")], [("PMID", "2"), ("OWN", "z")]],
        ),
        ("", RIS, []),
    ],
)
def test_loose_files(text: str, layout: Layout, expected: list[list[tuple[str, str]]]) -> None:
    assert tagged_records(text, layout) == expected
