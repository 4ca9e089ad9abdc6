import csv
import io
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus import separated
from keysift.corpus.separated import read_comma_separated, read_separated
from keysift.errors import InputError, KeysiftWarning

CELL = st.text('ab,;"\n\t 1é', max_size=6)
TABLE = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=6)
)
LOOSE = b"id,text\n" + b"".join(
    b'%d,"two teams\n%d,he said "no" to it\n%d,four"\n' % (n, n + 1, n + 2) for n in range(1, 121, 3)
)
"""120 rows in which every third opens a quote that is closed two rows later."""


def comma(data: bytes, **options: object) -> pl.DataFrame:
    return read_comma_separated(data, "a.csv", **options)  # type: ignore[arg-type]


def tab(data: bytes, **options: object) -> pl.DataFrame:
    return read_separated(data, "a.tsv", separator="\t", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@given(table=TABLE)
def test_every_field_comes_back_as_it_was_written(separator: str, table: list[list[str]]) -> None:
    file = io.StringIO()
    names = [f"name{number}" for number in range(len(table[0]))]
    csv.writer(file, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([names, *table])
    for data in (file.getvalue().encode(), file.getvalue().replace("\n", "\r\n").encode()):
        frame = read_separated(data, "a.csv", separator=separator, quote="double")
        expected = [tuple(field.replace("\n", "\r\n") if b"\r" in data else field for field in row) for row in table]
        assert frame.rows() == expected
        assert frame.columns == names


@given(st.text('a,"\n', max_size=20))
def test_a_table_is_read_as_the_csv_module_reads_it_or_refused(text: str) -> None:
    data = ("x,y\n" + text).encode()
    try:
        frame = read_separated(data, "a.csv", separator=",", quote="double")
    except InputError:
        return
    expected = [tuple(row) for row in csv.reader(io.StringIO("x,y\n" + text, newline="\n"), strict=True) if row]
    assert frame.rows() == expected[1:]


def test_attack_a_quote_in_the_header() -> None:
    frame = comma(b'id,disk 5",text\n1,a,one\n2,b,two\n3,c,three\n4,d,four\n')
    assert frame.columns == ["id", 'disk 5"', "text"]
    assert frame["text"].to_list() == ["one", "two", "three", "four"]
    frame = comma(b'id,"disk 5""",text\n1,a,"o\nne"\n\n2,b,two\n')
    assert frame.columns == ["id", 'disk 5"', "text"]
    assert frame["text"].to_list() == ["o\nne", "two"]


def test_attack_quotes_that_never_close_in_an_even_number() -> None:
    assert LOOSE.count(b'"') % 2 == 0
    with pytest.raises(InputError, match=r"a.csv: line 2: the row has a quote that is never closed, .*quote='none'"):
        comma(LOOSE)
    quiet = LOOSE.replace(b'"no"', b"no")  # now they close, but every line is a row
    with pytest.raises(InputError, match=r"a.csv: line 2: .*80 lines would be lost .*quote='none' .*quote='double'"):
        comma(quiet)
    assert comma(LOOSE, quote="none").height == comma(quiet, quote="none").height == 120
    assert comma(quiet, quote="double").height == 40


@pytest.mark.parametrize("data", [LOOSE, LOOSE.replace(b'"no"', b"no"), b'id,text\n1,"hello\n2,rain\n'])
def test_loose_quotes_between_tabs_are_plain_characters(data: bytes) -> None:
    with pytest.warns(KeysiftWarning, match=r"a.tsv: quotes do not close within their lines, .*quote='none'; "):
        frame = tab(data.replace(b",", b"\t"))
    assert frame.height == data.count(b"\n") - 1
    assert frame["text"][0].startswith('"')


def test_a_text_of_several_lines_is_one_document() -> None:
    poem = b'id,text\n1,"Roses, red\nViolets, blue\nSugar"\n2,rain\n'
    assert comma(poem)["text"].to_list() == ["Roses, red\nViolets, blue\nSugar", "rain"]
    assert tab(poem.replace(b"1,", b"1\t").replace(b"2,", b"2\t").replace(b"d,t", b"d\tt")).height == 2


def test_what_polars_misreads_is_read_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'id,text\n1,"a ""late"" goal"\n2,rain\n'

    def misread(*_: object, **__: object) -> pl.DataFrame:
        return pl.DataFrame({"id": ["1", "2"], "text": ["rain", "rain"]})

    monkeypatch.setattr(pl, "read_csv", misread)
    assert comma(data).rows() == [("1", 'a "late" goal'), ("2", "rain")]


def test_names_that_are_there_twice() -> None:
    with pytest.warns(KeysiftWarning, match="more than one column 'text'; the others are read as 'text_2'"):
        frame = comma(b"text,text,text_duplicated_0\na,b,c\n")
    assert frame.rows(named=True) == [{"text": "a", "text_2": "b", "text_duplicated_0": "c"}]
    with pytest.warns(KeysiftWarning, match="read as 'x_3'"):
        assert comma(b"x,x,x_2\na,b,c\n").columns == ["x", "x_3", "x_2"]


@pytest.mark.parametrize(
    "data",
    [
        b"ham,Go until jurong point\nspam,Free entry\nham,ok\nham,fine\n",
        b"1,a goal\n2,rain\n",
        b"a goal in the last minute of the very last game\nrain\n",
        b"0.5,-1e3\n0.25,7\n",
        b'notes,2021-01-01\n"x ""y""",1\n"5",6\n"7","2021-01-01"\n"a",2021-01-01\n',
    ],
)
def test_a_first_row_that_looks_like_data_is_said(data: bytes) -> None:
    with pytest.warns(KeysiftWarning, match=r"a.csv: its first row looks like data .*no_header="):
        width = comma(data).width
    frame = comma(data, no_header=True)
    assert frame.height == data.count(b"\n")
    assert frame.columns == (["text"] if width == 1 else [f"column_{n}" for n in range(1, width + 1)])


@pytest.mark.parametrize(
    "data", [b"id,text\n1,text\n2,text\n", b"text,2019\na,1\n", b"class,notes\nham,a\nham,b\n", b",a\n0,x\n1,y\n"]
)
def test_names_are_names(data: bytes) -> None:
    assert comma(data).height == 2 - (b"2019" in data)


def test_rows_are_named_without_a_header() -> None:
    with pytest.raises(InputError, match="line 2: the row has 1 field, the first row has 2; "):
        comma(b"1,a\n2\n", no_header=True)


def test_old_line_ends_and_the_line_of_spreadsheets() -> None:
    assert comma(b"id,text\r1,a\r2,b\r").rows() == [("1", "a"), ("2", "b")]
    assert comma(b'id,text\r\n1,"a\r\nb"\r\n2,c\r').rows() == [("1", "a\r\nb"), ("2", "c")]
    assert comma(b"sep=;\r\nid;text\r\n1;a, b\r\n").rows() == [("1", "a, b")]
    assert comma(b"id\ttext\n1\ta, b\n").rows() == [("1", "a, b")]


def test_an_unknown_meaning_of_quotes() -> None:
    with pytest.raises(InputError, match="quote must be one of auto, double, none; got 'single'"):
        comma(b"text\na\n", quote="single")


def test_a_stray_quote_needs_no_slow_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def slow(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(separated, "_slowly", slow)
    assert comma(b'id,text\n1,a 5" disk\n2,no "quote" opens\n')["text"].to_list() == ['a 5" disk', 'no "quote" opens']
