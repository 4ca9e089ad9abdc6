import gzip
import io
import sys
from pathlib import Path

import polars as pl
import pytest

from keysift.corpus.reading import READERS, read
from keysift.corpus.suffixes import TABLES
from keysift.errors import InputError


def given(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_every_kind_of_table_has_a_reader() -> None:
    assert tuple(READERS) == TABLES


def type_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("suffix", [".csv", ".CSV", ".tsv", ".jsonl", ".ndjson", ".parquet", ".txt"])
def test_each_format(tmp_path: Path, suffix: str, zipped: bool) -> None:
    frame = pl.DataFrame({"text": ["a goal", "rain"]})
    data = io.BytesIO()
    match suffix.lower():
        case ".jsonl" | ".ndjson":
            frame.write_ndjson(data)
        case ".parquet":
            frame.write_parquet(data)
        case _:
            frame.write_csv(data, include_header=suffix != ".txt")
    name, content = "news" + suffix, data.getvalue()
    path = given(tmp_path, name + ".gz", gzip.compress(content)) if zipped else given(tmp_path, name, content)
    corpus = read(path)
    assert corpus.ids.to_list() == [1, 2]
    assert corpus.texts.to_list() == ["a goal", "rain"]
    assert corpus.columns.equals(frame)
    assert corpus.source == str(path)


def test_csv_fields_stay_as_written(tmp_path: Path) -> None:
    data = b'\xef\xbb\xbfid,n,text\r\n007,1.50," a ""b"",\r\nc "\r\n\r\n008,,\r\n,,\r\n'
    corpus = read(given(tmp_path, "a.csv", data))
    assert corpus.ids.to_list() == ["007", "008", ""]
    assert corpus.texts.to_list() == [' a "b",\r\nc ', "", ""]
    assert corpus.columns["n"].to_list() == ["1.50", "", ""]


def test_tsv_minds_quotes(tmp_path: Path) -> None:
    corpus = read(given(tmp_path, "a.tsv", b'id\ttext\n1\t"a\tb"\n2\tc, d\n'))
    assert corpus.texts.to_list() == ["a\tb", "c, d"]


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b'text\na\n\n""\nb\n\n', ["a", "", "b"]),
        (b"text,n\na,1\n\n\nb,2\n", ["a", "b"]),
        (b"text,n\na,1\n,\nb,2\n", ["a", "", "b"]),
        (b'text,n\na,1\n,\n\n"\n\n",2', ["a", "", "\n\n"]),
    ],
)
def test_blank_csv_lines_are_skipped_and_empty_fields_kept(tmp_path: Path, data: bytes, texts: list[str]) -> None:
    assert read(given(tmp_path, "a.csv", data), text="text").texts.to_list() == texts


def test_lines_end_at_newlines_only(tmp_path: Path) -> None:
    corpus = read(given(tmp_path, "a.txt", "a\x85b\u2028c\r\n\nd\re\x0b\x0c\n".encode()))
    assert corpus.texts.to_list() == ["a\x85b\u2028c", "", "d\re\x0b\x0c"]
    assert corpus.ids.to_list() == [1, 2, 3]


def test_json_lines_keep_types_and_fill_missing_keys(tmp_path: Path) -> None:
    corpus = read(given(tmp_path, "a.jsonl", b'{"text":"a","n":1}\r\n\r\n{"tags":["x"]}\r\n'))
    assert corpus.texts.to_list() == ["a", ""]
    assert corpus.columns.to_dict(as_series=False) == {
        "text": ["a", None],
        "n": [1, None],
        "tags": [None, ["x"]],
    }


def test_a_key_with_numbers_and_strings_becomes_strings(tmp_path: Path) -> None:
    corpus = read(given(tmp_path, "a.jsonl", b'{"k":1,"text":"a"}\n{"k":"b","text":"c"}\n'), text="text")
    assert corpus.columns["k"].to_list() == ["1", "b"]


def test_folder(tmp_path: Path) -> None:
    given(tmp_path, "b.txt", b"rain\n")
    given(tmp_path, "a/z", b"a goal")
    given(tmp_path, "a/y.gz", gzip.compress(b"snow"))
    given(tmp_path, ".hidden", b"\xff")
    given(tmp_path, ".git/config", b"\xff")
    corpus = read(tmp_path)
    assert corpus.ids.to_list() == ["a/y.gz", "a/z", "b.txt"]
    assert corpus.texts.to_list() == ["snow", "a goal", "rain\n"]
    assert corpus.columns.columns == ["text"]


@pytest.mark.filterwarnings("ignore:standard input was read as lines")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, pack: type[bytes]) -> None:
    type_in(monkeypatch, pack(b"a,b\nc"))
    corpus = read("-")
    assert corpus.texts.to_list() == ["a,b", "c"]
    assert corpus.source == "standard input"
    type_in(monkeypatch, pack(b"text,n\na goal,1\n"))
    assert read("-", format="csv").texts.to_list() == ["a goal"]


def test_format_overrides_the_suffix(tmp_path: Path) -> None:
    assert read(given(tmp_path, "a.dat", b"text\nx\n"), format="csv").texts.to_list() == ["x"]
    assert read(given(tmp_path, "a.csv", b"text\nx\n"), format="txt").texts.to_list() == ["text", "x"]


def test_encoding(tmp_path: Path) -> None:
    path = given(tmp_path, "a.csv", "text\ncafé\n".encode("latin-1"))
    assert read(path, encoding="latin-1").texts.to_list() == ["café"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"text,n\na,1\nb\n", r"a.csv: line 3: the row has 1 field, the header has 2; "),
        ("a.csv", b"text,n\na,\nb\n", r"line 3: the row has 1 field, the header has 2; "),
        ("a.csv", b'text,n\n"a\n",1\nb,1,c\n', r"line 4: the row has 3 fields, the header has 2; "),
        ("a.csv", b"text,n\na,1,\n", r"line 2: the row has 3 fields, the header has 2; "),
        ("a.csv", b'text,n\na,1\n"b,1\n', r"line 3: the row has a quote .*1 field found, 2 in the header"),
        ("a.csv", b'text\n"""\n', r"line 2: the row has a quote that is never closed"),
        ("a.tsv", b"text\tn\na\n", r"a.tsv: line 2: the row has 1 field, the header has 2; "),
        ("a.jsonl", b'{"text":"a"}\n{"text":"b', r"a.jsonl: line 2 is not valid JSON"),
        ("a.jsonl", b'{"text":"a"}\n{"text":"b"} c\n', r"line 2 is not valid JSON"),
        ("a.jsonl", b'{"text":"a"}\nhello\n', r"line 2 is not valid JSON"),
        ("a.jsonl", b'{"text":"a"}\n[1]\n', r"line 2 is a list, not a JSON object"),
        ("a.jsonl", b'{"a":[1]}\n{"a":2}\n', r"line 2: 'a' is a number, but a list on line 1"),
        ("a.parquet", b"text\na\n", r"a.parquet: it cannot be read as parquet"),
        ("a.doc", b"text\n", r"should end in .csv, .tsv, .jsonl, .ndjson, .parquet, .txt, .*format="),
        ("a.csv", b"", r"a.csv contains no documents; "),
        ("a.csv", b"text,n\n", r"a.csv contains no documents; "),
        ("a.csv", b"text\n\n\n", r"a.csv contains no documents; "),
        ("a.jsonl", b" \n", r"a.jsonl contains no documents; "),
        ("a.txt", b"", r"a.txt contains no documents; "),
        ("a.csv", b"a,b\nx,y\n", r"a.csv has 2 columns .*'a', 'b'; .*text="),
        ("a.csv", b"a,b\n1,2\n", r"a.csv has no column of text; the columns are 'a', 'b'; .*text="),
    ],
)
def test_bad_files(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(given(tmp_path, name, data))
    assert "\n" not in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    for name in ("a.csv", "a"):
        with pytest.raises(InputError, match=f"Cannot read .*{name}: there is no such file or folder; "):
            read(tmp_path / name)


def test_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'doc' is unknown; choose one of csv, tsv, .*format="):
        read(tmp_path / "a.csv", format="doc")


def test_unknown_encoding(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'klingon' is unknown; .*encoding="):
        read(tmp_path / "a.csv", encoding="klingon")


def test_empty_folder(tmp_path: Path) -> None:
    given(tmp_path, ".hidden", b"a")
    with pytest.raises(InputError, match="contains no documents; "):
        read(tmp_path)


def test_a_folder_has_no_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder, where each file is one document; leave out format='csv'"):
        read(tmp_path, format="csv")


def test_a_stray_quote_is_read_the_slow_way(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b'text,n\na 5" disk,1\n"two, ""quoted""",2\n')
    assert read(file).texts.to_list() == ['a 5" disk', 'two, "quoted"']


def test_a_short_row_and_an_empty_one_do_not_hide_each_other(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"id,text\n1,a goal\n,\nshort\n2,rain\n")
    with pytest.raises(InputError, match="line 4: the row has 1 field, the header has 2"):
        read(file)
    file.write_bytes(b"id,text\n1,a goal\n,\n2,rain\n")
    assert read(file).texts.to_list() == ["a goal", "", "rain"]


def test_semicolons_as_spreadsheets_write_them(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id;text\n1;a goal, late\n2;rain\n")
    assert read(file).texts.to_list() == ["a goal, late", "rain"]


def test_a_categorical_text_is_text(tmp_path: Path) -> None:
    pl.DataFrame({"text": ["a", "b"]}, schema={"text": pl.Categorical}).write_parquet(tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet").texts.to_list() == ["a", "b"]
