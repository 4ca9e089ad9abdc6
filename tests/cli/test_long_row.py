"""One row of 50 MB among ordinary ones: ranked and scored like any other, and whole in the result."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from tests.streaming.made_stream import OPTIONS, made_documents

pytestmark = pytest.mark.long
LENGTH = 50_000_000


def test_one_row_of_50_mb(run: Callable[..., Result], tmp_path: Path) -> None:
    sentence = "the hockey team and the senate vote on a budget "
    text = (sentence * (LENGTH // len(sentence) + 1))[:LENGTH]
    rows = made_documents(300)
    documents = pl.concat([rows, pl.DataFrame({"key": ["long"], "text": [text], "sports": [True]})])
    source, out, model = tmp_path / "in.csv", tmp_path / "out.parquet", tmp_path / "m.keysift"
    documents.write_csv(source)
    small = ["--id", "key", "--sample", 200, "--memory", "500MB"]
    result = run("rank", source, *OPTIONS, *small, "-o", out, "--model-out", model, "-q")
    assert result.exit_code == 0, result.output
    ranked = pl.read_parquet(out)
    assert sorted(ranked["id"]) == sorted(documents["key"])
    assert ranked.filter(pl.col("id") == "long")["text"].item() == text
    assert "hockey" in ranked.filter(pl.col("id") == "long")["matched"].item()

    scores = dict(ranked.select("id", "score").iter_rows())
    result = run("score", model, source, *small, "-o", out, "-q")
    assert result.exit_code == 0, result.output
    assert dict(pl.read_parquet(out).select("id", "score").iter_rows()) == scores
    result = run("score", model, "-", "-o", "-", input=documents.write_ndjson())
    assert result.exit_code == 0, result.output
    assert {line["id"]: line["score"] for line in map(json.loads, result.stdout.splitlines())} == scores
