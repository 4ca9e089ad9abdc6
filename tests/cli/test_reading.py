"""Tables as people have them, through the command line: columns, headers, quotes, encodings, names, and attacks."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift.errors import OutputError
from keysift.loading import load_as
from keysift.ranker import KeywordRanker
from tests.cli.light import SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def refused(result: Result, *expected: str) -> None:
    assert result.exit_code == 2, result.output
    lines = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.output
    for part in expected:
        assert part in lines[0], lines[0]


@pytest.fixture
def odd(tmp_path: Path, corpus: pl.DataFrame) -> Path:
    """Columns with names that tell nothing."""
    path = tmp_path / "odd.csv"
    halves = corpus["text"].str.splitn(" ", 2).struct
    frame = pl.DataFrame({"key": [f"k{n}" for n in range(60)], "first": halves[0], "rest": halves[1]})
    frame.with_columns(kind=corpus["topic"], label=(corpus["topic"] == "sports").cast(pl.Int64)).write_csv(path)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_every_command_reads_a_ranking_without_being_told(
    run: Run, odd: Path, tmp_path: Path, corpus: pl.DataFrame, suffix: str
) -> None:
    refused(run("rank", odd, *SPORTS), "'first', 'rest', 'kind'", "--text")
    ranking, model = tmp_path / f"ranking{suffix}", tmp_path / "a.keysift"
    named = ["--text", "first", "--text", "rest", "--id", "key"]
    assert run("rank", odd, *SPORTS, *named, "-o", ranking, "--model-out", model).exit_code == 0
    again = tmp_path / f"again{suffix}"
    assert run("rank", ranking, *SPORTS, "-o", again).exit_code == 0
    sheet = tmp_path / "audit.csv"
    assert run("audit", "start", ranking, "-o", sheet).exit_code == 0
    texts = {text.split(" ", 1)[0] + "\n" + text.split(" ", 1)[1] for text in corpus["text"]}
    assert set(pl.read_csv(sheet)["text"]) == texts
    assert run("score", model, ranking, "-o", tmp_path / f"scored{suffix}").exit_code == 0
    assert run("thresholds", model, ranking).exit_code == 0
    assert run("keywords", ranking, *SPORTS, "--no-learn").exit_code == 0
    assert run("compare", ranking, again).exit_code == 0
    assert run("evaluate", ranking).exit_code == 0
    assert run("evaluate", ranking, "--model", model).exit_code == 0
    assert run("decide", ranking, "--threshold", "top=3", "-o", tmp_path / f"cut{suffix}").exit_code == 0


def test_a_model_remembers_the_columns(run: Run, odd: Path, tmp_path: Path) -> None:
    model, out = tmp_path / "a.keysift", tmp_path / "out.csv"
    assert run("fit", odd, *SPORTS, "--text", "first,rest", "--id", "key", "-o", model).exit_code == 0
    scored = run("score", model, odd, "-o", out)
    assert scored.exit_code == 0, scored.output
    assert "column 'first,rest'" in scored.stderr
    assert set(pl.read_csv(out)["id"]) == {f"k{n}" for n in range(60)}
    assert run("thresholds", model, odd).exit_code == 0
    assert run("evaluate", odd, "--model", model).exit_code == 0
    assert run("score", model, odd, "--text", "rest").exit_code == 0
    other = tmp_path / "other.csv"
    other.write_text("id,text\n1,a hockey game\n2,a tax law\n")
    assert run("score", model, other).exit_code == 0
    copy = tmp_path / "b.keysift"
    load_as(KeywordRanker, model).save(copy)
    assert load_as(KeywordRanker, copy).columns_ == load_as(KeywordRanker, model).columns_ is not None


def test_an_option_given_twice_is_refused(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    refused(run("rank", documents, "-k", "hockey", "-k", "law"), "--keywords/-k is given twice; give it once.")
    refused(run("rank", documents, "-k", "hockey", "--keywords=law"), "--keywords/-k is given twice")
    refused(run("rank", documents, *SPORTS, "--top", 3, "--top", 3, "--top", 5), "--top is given 3 times")
    refused(run("rank", documents, *SPORTS, "-o", out, "-o", tmp_path / "b.csv"), "--output/-o is given twice")
    refused(run("rank", documents, *SPORTS, "--inflections", "--no-inflections"), "--inflections is given twice")
    refused(run("score", model, documents, "--prior", 0.1, "--prior", 0.2), "--prior is given twice")
    refused(run("audit", "start", documents, "-n", 3, "-n", 4, "-o", out), "-n is given twice")
    refused(run("evaluate", documents, "--label", "a", "--label", "b"), "--label is given twice")
    assert not out.exists()
    assert run("rank", documents, *SPORTS, "-k").exit_code == 2


def test_labels_on_standard_input_do_not_become_text(run: Run, corpus: pl.DataFrame, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    result = run("rank", "-", *SPORTS, "-o", out, input=corpus.write_csv())
    assert result.exit_code == 0, result.output
    assert "standard input looks like csv with the columns 'topic', 'text' and was read so" in result.stderr
    assert "--format txt" in result.stderr
    ranking = pl.read_csv(out)
    assert len(ranking) == 60
    assert set(ranking["topic"]) == {"sports", "cooking", "law"}


def test_headers_and_quotes(run: Run, corpus: pl.DataFrame, tmp_path: Path) -> None:
    path, out = tmp_path / "sms.tsv", tmp_path / "out.csv"
    path.write_text("".join(f'{topic}\t"{text}\n' for topic, text in corpus.iter_rows()))
    result = run("rank", path, *SPORTS)
    refused(result, "2 columns that could be the text")
    assert "its first row looks like data" in result.stderr
    assert "--no-header" in result.stderr
    result = run("rank", path, *SPORTS, "--no-header", "--text", "column_2", "-o", out)
    assert result.exit_code == 0, result.output
    assert "as with --quote none; --quote double reads them as quotes" in result.stderr
    assert len(pl.read_csv(out)) == 60
    refused(run("rank", path, *SPORTS, "--no-header", "--text", "column_2", "--quote", "double"), "line 1", "quote")
    refused(run("rank", path, *SPORTS, "--quote", "single"), "quote must be one of auto, double, none")
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n')
    refused(run("rank", tmp_path / "a.jsonl", *SPORTS, "--no-header"), "read as jsonl", "leave out --no-header")


def test_another_encoding_is_said(run: Run, corpus: pl.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"text\n" + "\n".join(f"{text} Café, früh" for text in corpus["text"]).encode("cp1252"))
    refused(run("rank", path, *SPORTS), "the row has 2 fields")
    path.write_bytes(path.read_bytes().replace(b",", b""))
    result = run("rank", path, *SPORTS)
    assert result.exit_code == 0, result.output
    assert "read as cp1252; if letters look wrong, name its encoding with --encoding." in result.stderr
    refused(run("rank", path, *SPORTS, "--encoding", "utf-8"), "line 2 is not valid utf-8", "--encoding latin-1")
    path.write_bytes(path.read_bytes().decode("cp1252").encode("utf-16"))
    assert "Note: " not in run("keywords", path, *SPORTS, "--no-learn").stderr.partition("Language")[0]


def test_a_bytes_column_is_found_before_the_fit(
    run: Run, corpus: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.parquet"
    corpus.with_columns(page=pl.lit(b"\x00\xff")).write_parquet(path)
    assert run("rank", path, *SPORTS, "-o", tmp_path / "out.parquet").exit_code == 0

    def never(*_: object, **__: object) -> None:
        raise OutputError("The long work has started.")

    monkeypatch.setattr(KeywordRanker, "prepare", never)
    refused(run("rank", path, *SPORTS, "-o", tmp_path / "out.csv"), "'page'", "bytes", ".parquet")
    refused(run("rank", path, *SPORTS, "--text", "page"), "'page'", "holds Binary, not text")


def test_labels_are_looked_at_before_the_fit(run: Run, documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise OutputError("The long work has started.")

    monkeypatch.setattr(KeywordRanker, "prepare", never)
    refused(run("evaluate", documents, *SPORTS, "--label", "truth"), "no column 'truth'", "--label")
    both = ["--label", "text", "--text", "text"]
    refused(run("evaluate", documents, *SPORTS, *both), "The labels in 'text'", "--positive")


def test_bombs_and_devices(run: Run, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.txt.gz"
    bomb.write_bytes(gzip.compress(bytes(3_000_000)))
    refused(run("rank", bomb, *SPORTS, "--max-size", 0.002), "unzips to more than", "--max-size")
    refused(run("rank", bomb, *SPORTS, "--max-size", -1), "max_size must be a number of gigabytes above 0")
    if Path("/dev/zero").exists():
        refused(run("rank", "/dev/zero", *SPORTS), "/dev/zero: it is a device that gives bytes without end")


def test_no_memory_is_one_sentence(run: Run, documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def starve(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(KeywordRanker, "prepare", starve)
    refused(run("rank", documents, *SPORTS), "The memory is not enough", "fewer documents")


@pytest.mark.skipif(os.name == "nt", reason="there every name is Unicode")
def test_a_file_whose_name_is_no_utf8(documents: Path, tmp_path: Path) -> None:
    source = os.fsencode(tmp_path) + b"/caf\xe9.csv"
    try:
        with open(source, "wb") as file:  # noqa: PTH123, a Path has no bytes
            file.write(documents.read_bytes())
    except OSError:
        pytest.skip("this file system has no such names")
    command: list[str | bytes] = [sys.executable, "-c", "from keysift.cli import main; main()", "rank", source, *SPORTS]
    out, report, model = (tmp_path / name for name in ("out.csv", "out.html", "out.keysift"))
    done = subprocess.run(
        [*command, "-o", out, "--report", report, "--model-out", model], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "caf\ufffd.csv" in done.stderr.decode()
    assert len(pl.read_csv(out)) == 60
    done = subprocess.run([*command, "--text", "body"], capture_output=True, check=False)
    assert done.returncode == 2
    assert "caf\ufffd.csv has no column 'body'" in done.stderr.decode()


def test_ids_that_are_not_all_different_are_said(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "same.csv"
    texts = ["a hockey game", "a tax law", "the hockey team", "the court"] * 5
    pl.DataFrame({"id": ["a", "b"] * 10, "text": texts}).write_csv(source)
    result = run("rank", source, "-k", "hockey", "--encoder", "none")
    assert result.exit_code == 0, result.output
    assert "are not all different ('a' is there more than once)" in " ".join(result.stderr.split())
