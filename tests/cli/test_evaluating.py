from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from tests.cli.light import KEYWORDS, LIGHT, SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def metric(result: Result, name: str) -> float:
    lines = [line.split("│") for line in result.stdout.splitlines()]
    return next(float(cells[2].replace(",", "")) for cells in lines if len(cells) == 4 and cells[1].strip() == name)


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


def test_the_decisions_beside_the_labels(run: Run, ranked: Path) -> None:
    frame = pl.read_csv(ranked).with_columns(decision=(pl.col("id") % 3 == 0).cast(pl.Int64))
    frame.write_csv(ranked)
    result = run("evaluate", ranked)
    assert result.exit_code == 0, result.output
    label, decision = frame["label"] == 1, frame["decision"] == 1
    hits, above, there = int((label & decision).sum()), int(decision.sum()), int(label.sum())
    assert 0 < hits < there
    assert metric(result, "precision") == round(hits / above, 4)
    assert metric(result, "recall") == round(hits / there, 4)
    assert metric(result, "f1") == round(2 * hits / (above + there), 4)
    rows = {cells[1].strip(): cells[2:5] for line in result.stdout.splitlines() if len(cells := line.split("│")) == 6}
    assert [list(map(int, rows[name])) for name in ("positive", "negative", "all")] == [
        [hits, above - hits, above],
        [there - hits, len(frame) - above - there + hits, len(frame) - above],
        [there, len(frame) - there, len(frame)],
    ]
    assert f"At the cut, with {above} documents above it: precision {100 * hits / above:.1f} %" in result.stderr


def test_a_page_with_the_curves(run: Run, ranked: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = run("evaluate", ranked, "--plot", page)
    assert result.exit_code == 0, result.output
    html = page.read_text(encoding="utf-8")
    assert html.count("<polyline") == 2 * 3  # for a desk and for a phone
    assert "<polygon" not in html  # nothing is uncertain
    for text in ("Precision and recall along the ranking", "The decisions and the labels", "┆ threshold: 20 documents"):
        assert text in html
    assert f"Wrote the page with the curves to {page}" in result.stderr
    for name, reason in ((ranked, "must end in .html"), (tmp_path / "no" / "page.html", "no")):
        refused = run("evaluate", ranked, "--plot", name)
        assert refused.exit_code == 2
        assert reason in refused.stderr


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


def test_labels_of_a_column_with_gaps(run: Run, ranked: Path, tmp_path: Path) -> None:
    """As programs write them that have no whole numbers beside missing ones."""
    other, frame = tmp_path / "other.csv", pl.read_csv(ranked)
    gap = pl.col("rank") > 50
    frame.with_columns(label=pl.when(gap).then(None).otherwise("label")).write_csv(other)
    expected = run("evaluate", other).stdout
    floats = pl.when(gap).then(float("nan")).otherwise(pl.col("label").cast(pl.Float64))
    frame.with_columns(label=floats).write_csv(other)
    for asked in ([], ["--positive", "1"], ["--positive", "1.0"]):
        result = run("evaluate", other, *asked)
        assert result.stdout == expected, result.output
        assert "10 documents have no label" in result.stderr
