"""What changed between two rankings, through the command line."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from tests.cli.light import LIGHT, SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def refused(result: Result, *expected: str) -> None:
    assert result.exit_code == 2, result.output
    lines = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1, result.stderr
    for part in expected:
        assert part in lines[0], lines[0]


@pytest.fixture
def pair(run: Run, documents: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The sample corpus, ranked for sports and then for one word of it with fewer positives."""
    first, second = tmp_path / "sports.csv", tmp_path / "hockey.csv"
    assert run("rank", documents, *SPORTS, "--top", 20, "-o", first, "-q").exit_code == 0
    assert run("rank", documents, "-k", "hockey", *LIGHT, "--top", 12, "-o", second, "-q").exit_code == 0
    return first, second


def test_from_two_rankings_to_the_changes(run: Run, pair: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = pair
    out = tmp_path / "changes.csv"
    result = run("compare", first, second, "--k", 10, "-o", out)
    assert result.exit_code == 0, result.output
    before, after = (pl.read_csv(path, infer_schema=False) for path in pair)
    top = [set(frame.head(10)["id"]) for frame in (before, after)]
    assert top[0] != top[1]

    changes = pl.read_csv(out, infer_schema=False)
    expected = {
        "entered the top 10": top[1] - top[0],
        "left the top 10": top[0] - top[1],
        "became positive": set(after.head(12)["id"]) - set(before.head(20)["id"]),
        "no longer positive": set(before.head(20)["id"]) - set(after.head(12)["id"]),
    }
    found = {change: set(changes.filter(pl.col("change") == change)["id"]) for change in expected}
    assert found == expected
    assert len(changes) == sum(map(len, expected.values()))
    for row in changes.iter_rows(named=True):
        for side, frame in (("before", before), ("after", after)):
            (there,) = frame.filter(pl.col("id") == row["id"]).iter_rows(named=True)
            assert [row[f"{name}_{side}"] for name in ("rank", "decision", "evidence")] == [
                there[name] for name in ("rank", "decision", "evidence")
            ]
            assert row["text"] == there["text"]

    moved = len(top[1] - top[0])
    assert "Both rankings hold the same 60 documents." in result.stdout
    assert f"Top 10: {10 - moved} in both rankings ({10 - moved}0%); {moved} entered, {moved} left." in result.stdout
    assert "Positive: 20 in the first ranking, 12 in the second" in result.stdout
    assert f"Entered the top 10: {moved} document" in result.stdout
    assert f"Left the top 10: {moved} document" in result.stdout
    entered = changes.filter(pl.col("change") == "entered the top 10").row(0, named=True)
    (line,) = [line for line in result.stdout.splitlines() if f" {entered['id']} " in line]
    assert entered["text"][:20] in line
    assert entered["evidence_after"][:20] in line
    assert f"Compared {first} (the first ranking) with {second} (the second)." in result.stderr
    assert f"Wrote {len(changes)} changes to {out}." in result.stderr
    assert f"keysift audit start {second} -o audit.csv" in result.stderr


def test_a_ranking_and_itself(run: Run, pair: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "changes.csv"
    result = run("compare", pair[0], pair[0], "-o", out)
    assert result.exit_code == 0, result.output
    assert "Spearman's rho is 1.000 and Kendall's tau 1.000" in result.stdout
    assert "0 entered, 0 left" in result.stdout
    assert "Neither ranking has more than 100 documents" in result.stdout
    assert "rank before" not in result.stdout
    assert pl.read_csv(out).is_empty()
    assert "Wrote 0 changes" in result.stderr


def test_quiet_prints_the_result_alone(run: Run, pair: tuple[Path, Path]) -> None:
    result = run("compare", *pair, "--k", 5, "-q")
    assert result.exit_code == 0, result.output
    assert "Top 5: " in result.stdout
    assert not result.stderr


def test_documents_of_one_ranking_only_are_said(run: Run, pair: tuple[Path, Path], tmp_path: Path) -> None:
    first, _ = pair
    fewer = tmp_path / "fewer.parquet"
    frame = pl.read_csv(first)
    gone = frame["id"][0]
    frame.filter(pl.col("id") != gone).with_columns(rank=pl.int_range(1, len(frame))).write_parquet(fewer)
    result = run("compare", first, fewer, "--k", 10)
    assert result.exit_code == 0, result.output
    assert (
        "59 documents in both rankings, 1 only in the first (they can only have left), 0 only in the" in result.stdout
    )
    (line,) = [line for line in result.stdout.splitlines() if f" {gone} " in line]
    assert line.split("│")[1:3] == ["           1 ", "          - "]
    assert "-o changes.csv writes all changes" in result.stderr


def test_rankings_without_a_text_are_compared_without_it(run: Run, pair: tuple[Path, Path], tmp_path: Path) -> None:
    bare = [tmp_path / f"{path.stem}.jsonl" for path in pair]
    for path, target in zip(pair, bare, strict=True):
        pl.read_csv(path).drop("text", "evidence").write_ndjson(target)
    result = run("compare", *bare, "--k", 10)
    assert result.exit_code == 0, result.output
    assert "Entered the top 10" in result.stdout
    refused(run("compare", *bare, "--text", "body"), "has no column 'body'", "--text")


def test_what_is_refused(run: Run, pair: tuple[Path, Path], documents: Path, tmp_path: Path) -> None:
    first, second = pair
    refused(run("compare", first, documents), f"{documents} has no column 'rank'", "keysift rank or score")
    refused(run("compare", tmp_path / "no.csv", second), "no.csv", "no such file")
    refused(run("compare", first, second, "--k", 0), "k must be a whole number above 0; got 0")
    refused(run("compare", first, second, "-o", first), "it is an input, which would be lost")
    refused(run("compare", first, second, "-o", tmp_path / "changes.docx"), "its name must end in .csv")
    other, double = tmp_path / "other.csv", tmp_path / "double.csv"
    frame = pl.read_csv(second)
    frame.with_columns(id=pl.col("id") + 1000).write_csv(other)
    refused(run("compare", first, other), "have no id in common", str(first), str(other))
    frame.with_columns(id=pl.lit("twin")).write_csv(double)
    refused(run("compare", double, first), f"{double} has the id 'twin' 60 times", "unique ids")
