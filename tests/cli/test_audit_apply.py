"""`audit apply` takes answers only for the model that made the ranking, known by its fingerprint."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

import keysift
from keysift.audit.answers import read_answers
from keysift.errors import InputError
from tests.cli.light import LIGHT, SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def refused(result: Result, *expected: str) -> None:
    assert result.exit_code == 2, result.output
    for part in expected:
        assert part in result.stderr, result.stderr


@pytest.fixture
def ranked(run: Run, documents: Path, model: Path, tmp_path: Path) -> Path:
    path = tmp_path / "ranked.csv"
    assert run("score", model, documents, "-o", path, "-q").exit_code == 0
    return path


@pytest.fixture
def sheet(run: Run, ranked: Path, documents: Path, tmp_path: Path) -> Path:
    path = tmp_path / "audit.csv"
    assert run("audit", "start", ranked, "--text", "text", "-n", 30, "-o", path, "-q").exit_code == 0
    truth = dict(pl.read_csv(documents).select(pl.col("id").cast(pl.String), "label").iter_rows())
    frame = pl.read_csv(path, infer_schema=False)
    frame.with_columns(answer=pl.Series(["y" if truth[name] else "n" for name in frame["id"]])).write_csv(path)
    return path


def test_a_model_that_did_not_make_the_ranking(
    run: Run, documents: Path, model: Path, ranked: Path, sheet: Path, tmp_path: Path
) -> None:
    other, out = tmp_path / "other.keysift", tmp_path / "audited.keysift"
    assert run("fit", documents, "-k", "judge, court", *LIGHT, "-o", other, "-q").exit_code == 0
    refused(
        run("audit", "apply", other, ranked, sheet, "-o", out), "The ranking was made by another model: it names 'k"
    )
    assert not out.exists()
    assert run("audit", "apply", model, ranked, sheet, "-o", out).exit_code == 0
    # A cut changes no score: the model with another one made the ranking, too.
    recut = tmp_path / "recut.keysift"
    assert run("decide", model, "--threshold", "top=5", "-o", recut, "-q").exit_code == 0
    for same in (recut, out):
        assert run("audit", "apply", same, ranked, sheet, "-o", tmp_path / "again.keysift").exit_code == 0
    audit = read_answers(pl.read_csv(sheet, infer_schema=False), pl.read_csv(ranked))
    assert keysift.load(model).apply_audit(audit).prior_estimate_.basis == "audit"
    with pytest.raises(InputError, match="made by another model"):
        keysift.load(other).apply_audit(audit)


def test_a_ranking_that_does_not_name_its_model_is_known_by_the_training_scores(
    run: Run, documents: Path, model: Path, ranked: Path, sheet: Path, tmp_path: Path
) -> None:
    other, out = tmp_path / "other.keysift", tmp_path / "audited.keysift"
    assert run("fit", documents, "-k", "judge, court", *LIGHT, "-o", other, "-q").exit_code == 0
    pl.read_csv(ranked, infer_schema=False).drop("model").write_csv(ranked)  # as an older keysift wrote it
    assert run("audit", "apply", model, ranked, sheet, "-o", out).exit_code == 0
    refused(run("audit", "apply", other, ranked, sheet, "-o", out), "does not say which model made it")


def test_equal_fits_make_equal_models_and_rankings(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    again, ranked, scored = tmp_path / "again.keysift", tmp_path / "ranked.csv", tmp_path / "scored.csv"
    assert run("rank", documents, *SPORTS, "-o", ranked, "--model-out", again, "-q").exit_code == 0
    assert again.read_bytes() == model.read_bytes()
    assert run("score", model, documents, "-o", scored, "-q").exit_code == 0
    assert pl.read_csv(scored)["model"].to_list() == pl.read_csv(ranked)["model"].to_list()
    assert pl.read_csv(scored)["model"].n_unique() == 1
