"""The sweep of all cuts and the targets of a threshold, through the command line."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import Result

import keysift
from tests.cli.light import SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")
COLUMNS = [
    *("cut", "count"),
    *(f"{name}{end}" for name in ("precision", "recall", "f1") for end in ("", "_low", "_high")),
]


def test_the_sweep_is_printed_written_and_plotted(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "sweep.csv", tmp_path / "sweep.html"
    result = run("thresholds", model, documents, "-o", out, "--plot", page, "--points", 12)
    assert result.exit_code == 0, result.output
    sweep = pl.read_csv(out)
    assert sweep.columns == COLUMNS
    assert sweep["count"].to_list()[0] == 1
    assert sweep["count"].to_list()[-1] == 60
    clf = keysift.load(model)
    scores = clf.decision_function(pl.read_csv(documents)["text"])
    assert sweep.to_numpy() == pytest.approx(clf.posterior_.sweep(scores, 12).to_numpy(), rel=1e-9)

    lines = [line for line in result.stdout.splitlines() if "%" in line]
    assert len(lines) == len(sweep) <= 12
    for line, row in zip(lines, sweep.iter_rows(named=True), strict=True):
        assert f"{row['cut']:.3f}" in line
        for name in ("precision", "recall", "f1"):
            low, high = 100 * row[f"{name}_low"], 100 * row[f"{name}_high"]
            assert f" {row[name]:.0%} ({low:.0f}-{high:.0f}) " in line
        assert len(line) <= 80
    assert [" best" in line for line in lines] == (sweep["f1"] == sweep["f1"].max()).to_list()

    assert "Expected, from other corpora; the prior is " in result.stderr
    assert str(clf.prior_estimate_) in result.stderr
    assert f"takes {clf.expected_.count} documents." in result.stderr
    assert f"Wrote the sweep to {out}." in result.stderr
    assert f"Wrote the page with the curves to {page}." in result.stderr
    html = page.read_text(encoding="utf-8")
    assert f"threshold: {clf.expected_.count} documents" in html
    assert "from other corpora" in html


def test_quiet_prints_the_table_alone(run: Run, documents: Path, model: Path) -> None:
    result = run("thresholds", model, documents, "-q")
    assert result.exit_code == 0, result.output
    assert "precision" in result.stdout
    assert not result.stderr


def test_a_sweep_for_another_prior(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    sweeps = []
    for prior in (0.1, 0.6):
        out = tmp_path / f"{prior}.parquet"
        result = run("thresholds", model, documents, "--prior", prior, "-o", out)
        assert result.exit_code == 0, result.output
        assert f"the prior is {prior}, as given" in result.stderr
        assert f"takes {round(60 * prior)} documents" in result.stderr
        sweeps.append(pl.read_parquet(out))
    assert (sweeps[0]["precision"] < sweeps[1]["precision"]).all()
    assert sweeps[0]["count"].to_list() == sweeps[1]["count"].to_list()


@pytest.mark.parametrize("target", ["max_f1", "precision=0.8", "recall=0.9", " recall = 0.9"])
def test_fit_by_a_target_then_score(run: Run, documents: Path, tmp_path: Path, target: str) -> None:
    model, out = tmp_path / "m.keysift", tmp_path / "out.csv"
    fitted = run("fit", documents, *SPORTS, "--prior", 0.33, "--threshold", target, "-o", model)
    assert fitted.exit_code == 0, fitted.output
    assert "The prior is 0.33, as given." in fitted.stderr
    clf = keysift.load(model)
    expected = f"precision {clf.expected_.precision}, recall {clf.expected_.recall} (90 % intervals, modelled from"
    assert expected in fitted.stderr
    name, _, share = target.strip().replace(" ", "").partition("=")
    if share:
        assert getattr(clf.expected_, name).value >= float(share)
    scored = run("score", model, documents, "-o", out)
    assert scored.exit_code == 0, scored.output
    assert pl.read_csv(out)["decision"].sum() == clf.expected_.count > 0


def test_rank_says_where_the_prior_comes_from(run: Run, documents: Path) -> None:
    estimated = run("rank", documents, *SPORTS)
    assert estimated.exit_code == 0, estimated.output
    assert "the threshold is where macro F1 is highest over all of that" in estimated.stderr
    assert "decisions are provisional. Give --prior if you know it" in estimated.stderr
    assert "Expected above the threshold: precision " in estimated.stderr
    heuristic = run("rank", documents, *SPORTS, "--prior", "heuristic")
    assert "a heuristic, the share of pseudo-positives). Give --prior" in heuristic.stderr
    given = run("rank", documents, *SPORTS, "--prior", 0.25)
    assert "The threshold comes from the prior 0.25, as given.\n" in given.stderr
    assert "15 of 60 documents score above the threshold" in given.stderr


def test_score_for_another_prior(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    result = run("score", model, documents, "--prior", 0.5, "-o", out)
    assert result.exit_code == 0, result.output
    assert "30 of 60 documents score above the cut for the prior 0.5." in result.stderr
    ranking = pl.read_csv(out)
    assert ranking["decision"].to_list() == [1] * 30 + [0] * 30
    plain = tmp_path / "plain.csv"
    assert run("score", model, documents, "-o", plain).exit_code == 0
    assert pl.read_csv(plain)["score"].to_list() == ranking["score"].to_list()


def test_of_documents_unlike_those_of_training_nothing_is_expected(
    run: Run, documents: Path, model: Path, tmp_path: Path
) -> None:
    new, report = tmp_path / "new.csv", tmp_path / "report.html"
    pl.read_csv(documents).with_columns(pl.col("text") + " hockey baseball").write_csv(new)
    scored, swept = run("score", model, new, "--report", report), run("thresholds", model, new)
    assert (scored.exit_code, swept.exit_code) == (0, 2), scored.output + swept.output
    for result in (scored, swept):
        assert "look unlike those of training (Kolmogorov-Smirnov D = " in result.stderr
    for said in (scored.stderr, report.read_text(encoding="utf-8")):
        assert "No precision or recall is given; audit the ranking." in said
        assert "Expected above the threshold" not in said
    assert "Expected above the threshold: precision" in run("score", model, documents).stderr
    assert "say which share of them is relevant with --prior" in swept.stderr
    for command in ("score", "thresholds"):
        quiet = run(command, model, new, "--prior", 0.3, "-q")
        assert quiet.exit_code == 0, quiet.output
        assert "Kolmogorov" not in quiet.stderr


def test_the_inputs_are_never_overwritten(run: Run, documents: Path, model: Path) -> None:
    before = {path: path.read_bytes() for path in (documents, model)}
    result = run("thresholds", model, documents, "-o", documents)
    assert result.exit_code == 2
    assert "it is an input" in result.stderr
    assert {path: path.read_bytes() for path in (documents, model)} == before


def test_equal_documents_have_one_cut(run: Run, model: Path, tmp_path: Path) -> None:
    same = tmp_path / "same.txt"
    same.write_text("the court heard the case\n" * 5, encoding="utf-8")
    page = tmp_path / "page.html"
    result = run("thresholds", model, same, "--plot", page, "-o", tmp_path / "sweep.csv")
    assert result.exit_code == 0, result.output
    sweep = pl.read_csv(tmp_path / "sweep.csv")
    assert sweep["count"].to_list() == [5]
    assert np.isfinite(sweep.to_numpy()).all()
    assert "nan" not in page.read_text(encoding="utf-8").split("</style>")[1]
