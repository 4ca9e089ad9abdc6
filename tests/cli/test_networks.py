"""Networks through the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import Result

import keysift
from tests.cli.light import KEYWORDS, SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")
QUICK = ["--learning-rate", 0.01, "--batch-size", 16]


def test_rank_with_a_network(run: Run, documents: Path, tmp_path: Path) -> None:
    out, model, again = (tmp_path / name for name in ("ranking.parquet", "m.keysift", "again.parquet"))
    options = ["--model", "mlp", "--epochs", 3, *QUICK]
    result = run("rank", documents, "-k", KEYWORDS, "-o", out, "--model-out", model, *options)
    assert result.exit_code == 0, result.output
    ranking = pl.read_parquet(out)
    assert ranking["label"].head(10).to_list().count("1") >= 9
    assert all("moved by: " in evidence for evidence in ranking["evidence"])
    assert "epochs of mlp; epoch " in result.stderr
    assert "between the held-out documents of the two sets." in result.stderr
    assert run("score", model, documents, "-o", again).exit_code == 0
    assert pl.read_parquet(again).equals(ranking)


def test_fit_with_a_checkpoint_then_resume_then_score(run: Run, documents: Path, tmp_path: Path) -> None:
    def fit(name: str, *options: object) -> Result:
        model = ["--model", "rcnn", "--model-out", tmp_path / name]
        return run("fit", documents, "-k", KEYWORDS, *model, *QUICK, *options)

    checkpoint = tmp_path / "run.keysift"
    first = fit("first.keysift", "--epochs", 1, "--checkpoint", checkpoint)
    assert first.exit_code == 0, first.output
    resumed = fit("resumed.keysift", "--epochs", 2, "--checkpoint", checkpoint, "--resume")
    assert resumed.exit_code == 0, resumed.output
    whole = fit("whole.keysift", "--epochs", 2)
    # A line an epoch when piped, none for what the checkpoint brought.
    lines = [
        [line for line in told.stderr.splitlines() if line.startswith("Epoch ")] for told in (first, resumed, whole)
    ]
    assert [len(epochs) for epochs in lines] == [1, 1, 2]
    assert lines[0][0].startswith("Epoch 1 of 1 … ")
    assert lines[1][0].startswith("Epoch 2 of 2, AUC ")
    assert "Trained 2 epochs of rcnn; epoch " in resumed.stderr

    rankings = []
    for name in ("resumed", "whole"):
        out = tmp_path / f"{name}.parquet"
        assert run("score", tmp_path / f"{name}.keysift", documents, "-o", out).exit_code == 0
        rankings.append(pl.read_parquet(out))
    assert rankings[0].equals(rankings[1])
    clf = keysift.load(tmp_path / "resumed.keysift")
    assert rankings[0]["score"].to_list() == clf.rank(pl.read_csv(documents)["text"])["score"].to_list()


def test_the_linear_model_is_the_default(run: Run, documents: Path, tmp_path: Path) -> None:
    outs = [tmp_path / "default.parquet", tmp_path / "linear.parquet"]
    for out, options in zip(outs, ([], ["--model", "linear", "--epochs", 3]), strict=True):
        told = run("rank", documents, *SPORTS, "-o", out, *options).stderr
        assert "Fitting all pairs … " in told
        assert "Epoch" not in told
    assert pl.read_parquet(outs[0]).equals(pl.read_parquet(outs[1]))


def test_interrupting_an_epoch_keeps_the_checkpoint(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keysift.networks import minibatch

    checkpoint, train_epoch = tmp_path / "run.keysift", minibatch._train_epoch

    def interrupted(training: Any, *rest: Any) -> float:
        if training.epoch == 1:
            raise KeyboardInterrupt
        return train_epoch(training, *rest)

    options = ["--model", "mlp", "--epochs", 2, "--checkpoint", checkpoint, *QUICK]
    with monkeypatch.context() as patch:
        patch.setattr(minibatch, "_train_epoch", interrupted)
        result = run("rank", documents, "-k", KEYWORDS, "-o", tmp_path / "out.csv", *options)
    assert result.exit_code == 130
    assert "Stopped. No file was left half-written." in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["documents.csv", "run.keysift"]
    assert run("rank", documents, "-k", KEYWORDS, *options, "--resume").exit_code == 0
