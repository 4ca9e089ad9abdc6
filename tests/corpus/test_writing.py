import datetime
import gzip
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.corpus.reading import read
from keysift.corpus.writing import check_output, with_other_columns, write
from keysift.errors import OutputError

SUFFIXES = [".csv", ".tsv", ".jsonl", ".ndjson", ".csv.gz", ".TSV.GZ", ".jsonl.gz", ".ndjson.gz"]
TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=1)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(deadline=None)  # The first write of a process is slow.
@given(texts=TEXTS)
def test_what_is_written_reads_the_same(suffix: str, texts: list[str]) -> None:
    reads_the_same(suffix, texts)


@settings(deadline=None, max_examples=12)  # a file of another program is read in a process of its own, which takes long
@given(texts=TEXTS)
def test_what_is_written_as_parquet_reads_the_same(texts: list[str]) -> None:
    reads_the_same(".parquet", texts)


def reads_the_same(suffix: str, texts: list[str]) -> None:
    frame = pl.DataFrame({"n": range(len(texts)), "text": texts})
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        write(frame, path)
        assert read(path, text="text").texts.to_list() == texts
        write(frame.select("text"), path)
        assert read(path, text="text").texts.to_list() == texts


def test_a_missing_text_alone_in_its_row_is_kept(tmp_path: Path) -> None:
    write(pl.DataFrame({"text": ["a", None]}), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").texts.to_list() == ["a", ""]


def test_a_cell_is_written_as_it_is(tmp_path: Path) -> None:
    write(pl.DataFrame({"text": ["=1+1"], "n": [1]}), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "text,n\n=1+1,1\n"


def test_other_types_in_a_csv(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "list": [["é", None], None],
            "struct": [{"a": 1, "b": [2]}, {"a": None, "b": []}],
            "bool": [True, None],
            "date": [datetime.date(2020, 1, 2), None],
            "duration": [datetime.timedelta(days=1), None],
        }
    )
    write(frame, tmp_path / "a.csv")
    columns = read(tmp_path / "a.csv", text="bool").columns
    assert json.loads(columns["list"][0]) == ["é", None]
    assert columns["list"][1] == ""
    assert [json.loads(cell) for cell in columns["struct"]] == frame["struct"].to_list()
    assert columns["bool"].to_list() == ["true", ""]
    assert columns["date"].to_list() == ["2020-01-02", ""]
    assert columns["duration"].to_list() == ["P1D", ""]


def test_gzip_is_gzip(tmp_path: Path) -> None:
    write(pl.DataFrame({"a": [1]}), tmp_path / "a.csv.gz")
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == b"a\n1\n"


@pytest.mark.parametrize("column", [[b"x"], [[b"x"]], [{"a": b"x"}]])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_bytes_are_refused_in_text(tmp_path: Path, suffix: str, column: list[object]) -> None:
    with pytest.raises(OutputError, match=r"the columns 'raw' as text: they contain bytes; choose .parquet"):
        write(pl.DataFrame({"raw": column}), tmp_path / f"a{suffix}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.doc", "a", "a.txt", "a.parquet.gz", "a.gz"])
def test_unknown_suffix(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match=r"must end in .csv, .tsv, .jsonl, .ndjson, .parquet, .xlsx, .ris, .csv.gz, "):
        check_output(tmp_path / name)
    with pytest.raises(OutputError, match="must end in"):
        write(pl.DataFrame({"a": [1]}), tmp_path / name)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"the folder .*absent does not exist; "):
        check_output(tmp_path / "absent" / "a.csv")


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.csv"
    path.write_text("old")
    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)
    with pytest.raises(OutputError, match=r"Cannot write .*a.csv: .*No space left on device; "):
        write(pl.DataFrame({"a": [1]}), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_clashing_names_are_renamed() -> None:
    results = pl.DataFrame({"id": [1], "score": [0.5], "score_input": [2]})
    others = pl.DataFrame({"score": [3], "text": ["a"], "score_input2": [4], "id": [5]})
    together = with_other_columns(results, others)
    assert together.row(0, named=True) == {
        "id": 1,
        "score": 0.5,
        "score_input": 2,
        "score_input3": 3,
        "text": "a",
        "score_input2": 4,
        "id_input": 5,
    }
    assert with_other_columns(results, pl.DataFrame()).equals(results)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux allows any byte in a file's name")
@pytest.mark.parametrize("suffix", [".csv", ".tsv.gz", ".jsonl", ".parquet", ".xlsx"])
def test_a_name_that_is_not_utf8(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / os.fsdecode(b"o\xff" + suffix.encode())
    write(pl.DataFrame({"text": ["a goal"]}), path)
    assert path.stat().st_size
