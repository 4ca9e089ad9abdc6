import datetime
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.corpus import spreadsheet
from keysift.corpus.reading import read, read_table
from keysift.corpus.spreadsheet import read_xlsx
from keysift.corpus.writing import write
from keysift.errors import InputError, KeysiftWarning, OutputError

Sheets = dict[str, list[list[Any]]]


def book(sheets: Sheets) -> bytes:
    data = io.BytesIO()
    with xlsxwriter.Workbook(data) as file:
        days = file.add_format({"num_format": "yyyy-mm-dd"})
        for name, rows in sheets.items():
            page = file.add_worksheet(name)
            for number, row in enumerate(rows):
                for column, value in enumerate(row):
                    page.write(number, column, value, days if isinstance(value, datetime.date) else None)
    return data.getvalue()


def test_a_sheet_is_what_a_person_typed() -> None:
    rows: list[list[Any]] = [
        ["id", "text", "year", "score", "day", "mixed", "empty"],
        [1, "a goal", 1999, 0.5, datetime.date(2020, 1, 2), 7, None],
        [None] * 7,
        [2, "rain", None, 2, None, "x", None],
    ]
    frame = read_xlsx(book({"News": rows}), "a.xlsx")
    assert frame.rows(named=True) == [
        dict(zip(rows[0], [1, "a goal", 1999, 0.5, datetime.date(2020, 1, 2), "7", None], strict=True)),
        dict(zip(rows[0], [2, "rain", None, 2.0, None, "x", None], strict=True)),
    ]
    assert frame.schema["id"] == pl.Int64


@pytest.mark.parametrize(
    "ids", [[2**53 + 1792, 2**53 + 2], [2**53 + 1792, None], [-(2**62), 1], [123456789012345600, 7]]
)
def test_whole_numbers_have_no_decimals_however_large(ids: list[int | None]) -> None:
    rows: list[list[Any]] = [["id", "text"], *([id, "a goal"] for id in ids)]
    frame = read_xlsx(book({"News": rows}), "a.xlsx")
    assert frame.schema["id"] == pl.Int64
    assert frame["id"].to_list() == [None if id is None else pytest.approx(id, rel=1e-14) for id in ids]
    assert not any("." in str(id) for id in frame["id"])


@pytest.mark.parametrize("numbers", [[2.0**63, 1.0], [1e300, 1.0], [0.5, 1.0]])
def test_what_is_no_whole_number_stays_a_fraction(numbers: list[float]) -> None:
    rows: list[list[Any]] = [["n", "text"], *([n, "a goal"] for n in numbers)]
    assert read_xlsx(book({"News": rows}), "a.xlsx")["n"].to_list() == pytest.approx(numbers)


def test_a_type_that_changes_far_below_is_seen() -> None:
    rows: list[list[Any]] = [["id", "text"], *([n, "rain"] for n in range(3000)), ["x", "a goal"]]
    frame = read_xlsx(book({"News": rows}), "a.xlsx")
    assert frame["id"].tail(2).to_list() == ["2999", "x"]


def test_the_first_sheet_with_rows_is_read_and_others_are_told_of(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(book({"About": [["by me"]], "News": [["text"], ["a goal"]], "None": []}))
    assert read(path).texts.to_list() == ["a goal"]
    path.write_bytes(book({"News": [["text"], ["a goal"]], "Old": [["text"], ["rain"]]}))
    with pytest.warns(KeysiftWarning, match=r"2 sheets with rows \('News', 'Old'\); 'News' is read; .*sheet="):
        assert read(path).texts.to_list() == ["a goal"]
    assert read(path, sheet="Old").texts.to_list() == ["rain"]
    with pytest.raises(InputError, match="has no sheet 'New'; its sheets are 'News', 'Old'; name one with sheet="):
        read(path, sheet="New")
    (tmp_path / "a.csv").write_text("text\na goal\n")
    with pytest.raises(InputError, match="has no sheets; leave out sheet='x'"):
        read(tmp_path / "a.csv", sheet="x")


def damaged_zip() -> bytes:
    data = bytearray(book({"News": [["text"], ["a goal"]]}))
    place = data.index(b"xl/worksheets/sheet1.xml") + 30
    data[place : place + 100] = b"x" * 100
    return bytes(data)


def other_zip() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("a.txt", "a goal")
    return data.getvalue()


@pytest.mark.parametrize("make", [damaged_zip, other_zip, lambda: b"PK", lambda: b"id,text\n1,a\n"])
def test_damaged(make: Callable[[], bytes]) -> None:
    with pytest.raises(InputError, match=r"a\.xlsx: it cannot be read as a spreadsheet \(.*\); save it") as caught:
        read_xlsx(make(), "a.xlsx")
    assert "\n" not in str(caught.value)


def test_an_empty_column_is_nothing_to_talk_about(caplog: pytest.LogCaptureFixture) -> None:
    frame = read_xlsx(book({"News": [["id", "text"], [None, "a goal"]]}), "a.xlsx")
    assert frame["id"].to_list() == [None]
    assert not caplog.records


def test_empty() -> None:
    assert read_xlsx(b"", "a.xlsx").is_empty()
    assert read_xlsx(book({"News": []}), "a.xlsx").is_empty()


FORMULAS = [
    "=1+1",
    "{=1+1}",
    "+1",
    "-1",
    "@x",
    "\t=1",
    "=HYPERLINK(1)",
    "http://example.org",
    "mailto:a@b.c",
    "internal:A",
]


def test_no_string_is_a_formula_or_a_link(tmp_path: Path) -> None:
    frame = pl.DataFrame({"=header": FORMULAS, "id": FORMULAS, "list": [[text] for text in FORMULAS]})
    write(frame, tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as file:
        sheet = file.read("xl/worksheets/sheet1.xml").decode()
        assert not [name for name in file.namelist() if "sheet1.xml.rels" in name]
    assert not re.search(r"<f[ >]|<hyperlink", sheet)
    again, _ = read_table(tmp_path / "a.xlsx")
    assert again["id"].to_list() == again["=header"].to_list() == FORMULAS


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@settings(max_examples=50)
@given(texts=st.lists(TEXT, min_size=1))
def test_what_is_written_reads_the_same(texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.xlsx"
        write(pl.DataFrame({"n": range(len(texts)), "text": texts}), path)
        assert read(path).texts.to_list() == texts


def test_types_survive(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "n": [1, None, 3],
            "f": [0.5, None, -1e-9],
            "b": [True, False, None],
            "day": [datetime.date(2020, 1, 2), None, datetime.date(1999, 12, 31)],
            "at": [datetime.datetime(2020, 1, 2, 3, 4, 5), None, None],
            "old": [datetime.date(1850, 1, 2), None, None],
            "big": [2**60 + 1, 0, None],
            "text": ["a", "", None],
        }
    )
    write(frame, tmp_path / "a.xlsx")
    again, _ = read_table(tmp_path / "a.xlsx")
    for name in ("n", "f", "b", "day", "at"):
        assert again[name].to_list() == frame[name].to_list(), name
    assert again["old"].to_list() == ["1850-01-02", None, None]
    assert again["big"].to_list() == [str(2**60 + 1), "0", None]
    assert again["text"].to_list() == ["a", None, None]


def test_a_text_that_is_too_long_is_cut_and_counted(tmp_path: Path) -> None:
    with pytest.warns(KeysiftWarning, match=r"1 texts? .*cut after 30,000 characters; \.csv and \.parquet keep"):
        write(pl.DataFrame({"text": ["a" * 40_000, "b"]}), tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").texts.str.len_chars().to_list() == [30_002, 1]


def test_a_table_that_is_too_large_is_refused_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreadsheet, "MOST_ROWS", 1)
    with pytest.raises(OutputError, match=r"Cannot write 2 rows and 1 columns as \.xlsx, which holds 1 and 16,384"):
        write(pl.DataFrame({"text": ["a", "b"]}), tmp_path / "a.xlsx")
    assert not list(tmp_path.iterdir())
