from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from tests.cli.light import KEYWORDS, LIGHT, SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def metric(result: Result, name: str) -> float:
    line = next(line for line in result.stdout.splitlines() if f"│ {name} " in line)
    return float(line.split("│")[2].replace(",", ""))


@pytest.fixture
def ranked(run: Run, documents: Path, tmp_path: Path) -> Path:
    path = tmp_path / "ranked.csv"
    assert run("rank", documents, *SPORTS, "-o", path, "--prior", 0.33).exit_code == 0
    return path


def test_three_ways_to_a_ranking_agree(run: Run, documents: Path, ranked: Path, model: Path) -> None:
    options = ["--prior", "0.33"]
    results = [
        run("evaluate", ranked),
        run("evaluate", documents, "--keywords", KEYWORDS, *LIGHT, *options),
        run("evaluate", documents, "--model", model),
    ]
    assert [result.exit_code for result in results] == [0, 0, 0], [result.output for result in results]
    for name in ("auc", "average precision", "precision at 100", "macro f1", "accuracy"):
        assert metric(results[0], name) == metric(results[1], name)
    assert metric(results[0], "auc") == metric(results[2], "auc") > 0.95
    assert metric(results[0], "positives") == 20


def test_labels_in_other_words_and_missing_ones(run: Run, ranked: Path, tmp_path: Path) -> None:
    expected = metric(run("evaluate", ranked), "auc")
    frame = pl.read_csv(ranked)
    other = tmp_path / "other.csv"
    frame.with_columns(label=pl.col("label").replace_strict({1: "Yes", 0: "no"})).write_csv(other)
    assert metric(run("evaluate", other), "auc") == expected
    frame.with_columns(label=pl.col("label").replace_strict({1: "sport", 0: "rest"})).write_csv(other)
    assert metric(run("evaluate", other, "--positive", "sport"), "auc") == expected
    frame.with_columns(label=pl.when(pl.col("rank") > 50).then(None).otherwise("label")).write_csv(other)
    result = run("evaluate", other)
    assert "10 documents have no label" in result.stderr
    assert metric(result, "documents") == 50
