"""The paper's data through the command line, from files as they are."""

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from benchmarks.paper.datasets import SETS, find_data
from tests.cli.light import LIGHT

Run = Callable[..., Result]

FOLDER = find_data()
needs_data = pytest.mark.skipif(
    FOLDER is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data"
)


@needs_data
@pytest.mark.parametrize(
    ("name", "step", "auc"), [("custrev", 1, 0.69), ("mpqa", 1, 0.78), ("ayi", 1, 0.76), ("20ng", 16, 0.93)]
)
def test_rank_then_evaluate(run: Run, tmp_path: Path, name: str, step: int, auc: float) -> None:
    assert FOLDER is not None
    data = SETS[name]
    documents = data.read(FOLDER)
    texts, labels = documents.texts[::step], documents.labels[::step]
    source, ranked, report = tmp_path / "in.parquet", tmp_path / "out.csv", tmp_path / "report.html"
    pl.DataFrame({"text": texts, "label": labels}).write_parquet(source)
    result = run("rank", source, "-k", ", ".join(data.keywords), "-o", ranked, "--report", report)
    assert result.exit_code == 0, result.output
    table = pl.read_csv(ranked)
    assert len(table) == len(texts)
    assert sorted(table["label"]) == sorted(labels)
    evaluated = run("evaluate", ranked)
    found = float(next(line for line in evaluated.stdout.splitlines() if "auc" in line).split("│")[2])
    assert found > auc
    assert "without any keyword" in report.read_text(encoding="utf-8")


@needs_data
def test_an_everyday_word_among_the_keywords_is_found_out(run: Run, tmp_path: Path) -> None:
    assert FOLDER is not None
    source = tmp_path / "in.parquet"
    every_fourth = SETS["20ng"].read(FOLDER).texts[::4]
    pl.DataFrame({"text": every_fourth}).write_parquet(source)
    result = run("keywords", source, "-k", "hockey, baseball, also", "--encoder", "none")
    assert result.exit_code == 0, result.output
    rows = {line.split("│")[1].strip(): line for line in result.stdout.splitlines() if line.startswith("│")}
    assert {word for word, line in rows.items() if "ambiguous" in line} == {"also"}
    assert "fits" in rows["hockey"]
    assert "fits" in rows["baseball"]
    added = next(line for line in result.stdout.splitlines() if line.startswith("Words to add: "))
    assert all(f"{word} (" in added for word in ("team", "game", "players"))
    dropped = next(line for line in result.stdout.splitlines() if line.startswith("Consider dropping "))
    assert re.match(r"Consider dropping “also” \(agreement 0\.(4|5)", dropped)  # about chance


@needs_data
def test_the_encoding_of_an_8_bit_file_is_found_and_said(run: Run, tmp_path: Path) -> None:
    assert FOLDER is not None
    source, out = FOLDER / "sentence-polarity" / "subj.all", tmp_path / "out.jsonl"
    options = ["-k", ", ".join(SETS["subj"].keywords), "--format", "txt", "--gamma", 50, "-o", out, *LIGHT]
    refused = run("rank", source, *options, "--encoding", "utf-8")
    assert refused.exit_code == 2
    assert "line 21 is not valid utf-8" in refused.stderr
    assert "--encoding latin-1" in refused.stderr
    found = run("rank", source, *options)
    assert found.exit_code == 0, found.output
    assert "read as cp1252" in found.stderr
    best = pl.read_ndjson(out)
    assert len(best) == 10_000
    assert best.head(100)["text"].str.starts_with("0 ").sum() > 85
