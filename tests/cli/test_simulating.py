from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import Result

from keysift.review.simulation import simulate
from tests.cli.light import SPORTS
from tests.light import KEYWORDS, LIGHT

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def rows(result: Result) -> dict[str, list[str]]:
    lines = (line.split("│") for line in result.stdout.splitlines())
    return {cells[1].strip(): [cell.strip() for cell in cells[2:6]] for cells in lines if len(cells) == 7}


def test_the_table_is_that_of_the_simulation(run: Run, documents: Path, tmp_path: Path) -> None:
    curve, page = tmp_path / "curve.csv", tmp_path / "curve.html"
    result = run("simulate", documents, *SPORTS, "--views", "words", "-o", curve, "--plot", page)
    assert result.exit_code == 0, result.output
    frame = pl.read_csv(documents)
    simulation = simulate(frame["text"], frame["label"].to_numpy(), KEYWORDS, **LIGHT)
    expected = {
        "learning": simulation.learning,
        "keyword order": simulation.keywords,
        "at random (expected)": simulation.random,
    }
    shown = rows(result)
    for name, one in expected.items():
        assert shown[name] == [
            f"{one.loss:.3f}",
            f"{100 * one.work_saved():.1f} %",
            str(one.read_for(0.5)),
            str(one.read_for(0.95)),
        ]
    written = pl.read_csv(curve)
    assert written.columns == ["read", "id", "found", "keyword_order", "random"]
    assert written["id"].to_list() == frame["id"].gather(simulation.read).to_list()
    assert written["found"].to_list() == simulation.learning.found.tolist()
    html = page.read_text(encoding="utf-8")
    assert html.count("<polyline") == 2 * 3  # for a desk and for a phone
    for text in ("A finished review, read again", "keyword order", "at random (expected)", "documents read"):
        assert text in html
    assert f"Wrote the curve to {curve}." in result.stderr
    assert f"Wrote the page with the curves to {page}." in result.stderr
    assert "Reading and learning" in result.stderr


def test_labels_in_other_words_and_missing_ones(run: Run, documents: Path, tmp_path: Path) -> None:
    frame, other = pl.read_csv(documents), tmp_path / "other.csv"
    named = pl.col("label").replace_strict({1: "sport", 0: "rest"})
    frame.with_columns(topic=named).drop("label").write_csv(other)
    options = [*SPORTS, "--text", "text"]
    result = run("simulate", other, *options, "--label", "topic", "--positive", "sport", "-q")
    assert result.exit_code == 0, result.output
    assert rows(result) == rows(run("simulate", documents, *options))
    assert result.stderr == ""
    frame.with_columns(label=pl.when(pl.col("id") % 6 == 0).then(None).otherwise("label")).write_csv(other)
    some = run("simulate", other, *options)
    assert "10 documents have no label in 'label' and are left out." in some.stderr
    assert "50 labelled documents" in some.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--order", "worst"], "order must be mix, best, uncertain or random"),
        (["--label", "truth"], "no column 'truth'"),
        (["--positive", "maybe"], "is 'maybe'; there are"),
        (["--plot", "page.pdf"], "its name must end in .html"),
        (["-o", "curve.doc"], "its name must end in .csv"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run: Run, documents: Path, arguments: list[str], reason: str) -> None:
    result = run("simulate", documents, *SPORTS, "--text", "text", *arguments)
    assert result.exit_code == 2, result.output
    assert reason in result.stderr
    assert "Traceback" not in result.output


def test_labels_of_one_kind(run: Run, documents: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    pl.read_csv(documents).with_columns(label=pl.lit(1)).write_csv(other)
    result = run("simulate", other, *SPORTS, "--text", "text")
    assert result.exit_code == 2
    assert "A simulation needs relevant documents and others; 60 of 60 are labelled relevant." in result.stderr


def test_a_seed_decides_what_is_explored(run: Run, documents: Path, tmp_path: Path) -> None:
    read = []
    for number, seed in enumerate((1, 1, 2)):
        curve = tmp_path / f"{number}.csv"
        options = [*SPORTS, "--order", "random", "--random-state", seed, "-o", curve]
        assert run("simulate", documents, *options).exit_code == 0
        read.append(pl.read_csv(curve)["id"].to_list())
    assert read[0] == read[1] != read[2]
    assert np.array_equal(sorted(read[0]), sorted(read[2]))
