import gzip
import io

import polars as pl
import pytest

from keysift.corpus.reading import read
from keysift.corpus.sniffing import sniff
from keysift.errors import KeysiftWarning

LINES = [
    b"a,b\nc",
    b"A goal, late.\nRain, again.\nSnow, soon.\n",
    b"one line\n",
    b"",
    b"\n\n",
    b"{curly}\nbrackets\n",
    b"Hello\nWorld\n",
    b"Dear all,\nwe met, and talked, at length.\nBye,\n",
    b"1,2\n3,4\n",
]


@pytest.mark.filterwarnings("ignore:standard input was read as lines")
@pytest.mark.parametrize("data", LINES)
def test_lines_stay_lines(data: bytes) -> None:
    assert sniff(data, "standard input") == "txt"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"id,text,label\n1,a goal,1\n2,rain,0\n", "csv"),
        (b"text\na goal, late\nrain\n", "csv"),
        (b"id;text\n1;a goal, late\n", "csv"),
        (b'name,notes\nx,"a, b"\ny,"c\nd"\n', "csv"),
        (b"id\ttext\n1\ta goal, late\n", "tsv"),
        (b"id,text\n1,a goal\n2,rain, again\n3,snow\n", "csv"),
        (b"text,n\n" + b'"' + b"a, b " * 40_000 + b'",1\n', "csv"),
    ],
)
def test_tables_are_known_and_said(data: bytes, kind: str) -> None:
    with pytest.warns(KeysiftWarning, match=f"looks like {kind} with the columns .*format='txt'"):
        assert sniff(data, "standard input") == kind


def test_json_lines_are_known() -> None:
    assert sniff(b'\n{"text": "a"}\n', "standard input") == "jsonl"
    assert sniff(b'{"text": "' + b"a" * 200_000 + b'"}\n', "standard input") == "jsonl"


def test_whoever_has_no_header_has_a_table() -> None:
    assert sniff(b"1,a\n", "standard input", no_header=True) == "csv"
    assert sniff(b"1\ta\n", "standard input", no_header=True) == "tsv"


@pytest.mark.filterwarnings("ignore:standard input looks like")
@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("zipped", [False, True])
def test_labels_on_standard_input_are_no_text(kind: str, zipped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, file = pl.DataFrame({"label": ["ham", "spam"], "text": ["a goal", "rain"]}), io.BytesIO()
    match kind:
        case "jsonl":
            frame.write_ndjson(file)
        case "parquet":
            frame.write_parquet(file)
        case _:
            frame.write_csv(file, separator="," if kind == "csv" else "\t")
    data = gzip.compress(file.getvalue()) if zipped else file.getvalue()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert read("-").texts.to_list() == ["a goal", "rain"]
