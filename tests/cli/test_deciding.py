"""`decide`: another cut of a ranking or a model, through the command line."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

import keysift
from keysift.corpus.reading import read_table
from tests.cli.light import SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")
CUTS = ("prior", "max_f1", "precision=0.5", "recall=0.9", "top=7", "0.5")


def refused(result: Result, *parts: str) -> None:
    assert result.exit_code == 2, result.output
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1
    assert "Traceback" not in result.output
    for part in parts:
        assert part in errors[0], errors[0]


@pytest.fixture
def ranking(run: Run, documents: Path, tmp_path: Path) -> Path:
    path = tmp_path / "ranking.csv"
    assert run("rank", documents, *SPORTS, "-o", path, "-q").exit_code == 0
    return path


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_ranking_is_cut_as_rank_would(run: Run, documents: Path, tmp_path: Path, suffix: str) -> None:
    ranking, out, expected = (tmp_path / f"{name}.{suffix}" for name in ("ranking", "out", "expected"))
    assert run("rank", documents, *SPORTS, "-o", ranking, "-q").exit_code == 0
    before = ranking.read_bytes()
    for cut in CUTS:
        result = run("decide", ranking, "--threshold", cut, "-o", out)
        assert result.exit_code == 0, result.output
        assert run("rank", documents, *SPORTS, "--threshold", cut, "-o", expected, "-q").exit_code == 0
        assert out.read_bytes() == expected.read_bytes(), cut
        count = read_table(out)[0]["decision"].cast(pl.Int64).sum()
        assert f"{count} of 60 documents score above " in result.stderr
    assert ranking.read_bytes() == before


def test_what_is_said(run: Run, ranking: Path, model: Path, tmp_path: Path) -> None:
    out, cut = tmp_path / "out.csv", tmp_path / "cut.keysift"
    told = run("decide", ranking, "--threshold", "top=7", "-o", out).stderr.splitlines()
    assert told[0].startswith("Deciding … ")
    assert told[1].startswith("7 of 60 documents score above ")
    assert told[2:] == [  # no precision is expected from chances whose intervals a file does not hold
        f"Wrote the ranking with these decisions to {out}.",
        f"Next, to know how good they are: keysift audit start {out} -o audit.csv",
    ]
    told = run("decide", model, "--threshold", "top=7", "-o", cut).stderr.splitlines()
    assert told[-1] == f"Wrote the model with this cut to {cut}. Next: keysift score {cut} NEW_DOCUMENTS"
    quiet = run("decide", ranking, "--threshold", "top=7", "-o", out, "-q")
    assert (quiet.stdout, quiet.stderr) == ("", "")


def test_other_columns_and_the_order_of_rows_stay(run: Run, ranking: Path, tmp_path: Path) -> None:
    mixed, out = tmp_path / "mixed.csv", tmp_path / "out.csv"
    pl.read_csv(ranking).reverse().with_columns(mine=pl.lit("a, b")).write_csv(mixed)
    assert run("decide", mixed, "--threshold", "top=7", "-o", out).exit_code == 0
    before, after = pl.read_csv(mixed), pl.read_csv(out)
    assert after.drop("decision").equals(before.drop("decision"))
    assert after["decision"].to_list() == [0] * 53 + [1] * 7


@pytest.mark.parametrize("cut", CUTS)
def test_a_model_is_cut_as_fit_would(run: Run, documents: Path, model: Path, tmp_path: Path, cut: str) -> None:
    out, expected = tmp_path / "cut.keysift", tmp_path / "expected.keysift"
    assert run("decide", model, "--threshold", cut, "-o", out).exit_code == 0
    assert run("fit", documents, *SPORTS, "--threshold", cut, "-o", expected, "-q").exit_code == 0
    ours, theirs = keysift.load(out), keysift.load(expected)
    assert ours.threshold_ == pytest.approx(theirs.threshold_)
    texts = pl.read_csv(documents)["text"]
    assert ours.predict(texts).tolist() == theirs.predict(texts).tolist()


def test_another_prior(run: Run, ranking: Path, model: Path, documents: Path, tmp_path: Path) -> None:
    out, cut = tmp_path / "out.csv", tmp_path / "cut.keysift"
    assert run("decide", ranking, "--prior", 0.25, "-o", out).exit_code == 0
    frame = pl.read_csv(out)
    assert frame["decision"].to_list() == [1] * 15 + [0] * 45
    assert frame["chance"].mean() == pytest.approx(0.25)
    assert run("decide", model, "--prior", 0.25, "-o", cut).exit_code == 0
    assert keysift.load(cut).predict(pl.read_csv(documents)["text"]).sum() == 15


def test_a_ranking_made_by_hand(run: Run, tmp_path: Path) -> None:
    ranking, out = tmp_path / "hand.csv", tmp_path / "out.csv"
    ranking.write_text("id,rank,score,decision,note\na,1,3.5,1,x\nb,2,2,0,y\nc,3,1,0,z\n", encoding="utf-8")
    for cut, expected in (("top=2", [1, 1, 0]), ("0.5", [1, 1, 1])):
        result = run("decide", ranking, "--threshold", cut, "-o", out)
        assert result.exit_code == 0, result.output
        assert pl.read_csv(out)["decision"].to_list() == expected
        assert pl.read_csv(out)["note"].to_list() == ["x", "y", "z"]
        assert "Expected" not in result.stderr  # nobody knows
    out.unlink()
    for cut in ("prior", "precision=0.9", "max_f1"):
        refused(run("decide", ranking, "--threshold", cut, "-o", out), "has no column 'chance'", "top=100 or a score")
    assert not out.exists()


def test_what_cannot_be_decided_writes_nothing(
    run: Run, ranking: Path, model: Path, documents: Path, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    out, cut = tmp_path / "out.csv", tmp_path / "cut.keysift"
    for source, target, options, parts in (
        (ranking, out, ["--threshold", "precision=0.9999"], ("No cut has an expected precision of 0.9999", "best is")),
        (model, cut, ["--threshold", "precision=0.9999"], ("No cut has an expected precision of 0.9999", "best is")),
        (ranking, out, ["--threshold", "half"], ("threshold must be prior, max_f1", "got 'half'")),
        (ranking, out, ["--prior", 1.5], ("prior must be a number between 0 and 1", "got 1.5")),
        (model, cut, ["--prior", 0], ("prior must be a number between 0 and 1",)),
        (ranking, ranking, [], ("ranking.csv: it is an input, which would be lost",)),
        (model, model, [], ("sports.keysift: it is an input, which would be lost",)),
        (documents, out, [], ("documents.csv has no column 'rank'", "give the output of keysift rank or score")),
        (tmp_path / "no.csv", out, [], ("no.csv: there is no such file",)),
        (tmp_path / "no.keysift", cut, [], ("no.keysift: there is no such file",)),
        (tmp_path, cut, [], ("it is a folder",)),
        (ranking, cut, [], ("cut.keysift: its name must end in .csv",)),
        (model, out, [], ("Cannot write the model to", "choose one like model.keysift")),
        (ranking, tmp_path / "missing" / "out.csv", [], ("missing does not exist",)),
    ):
        refused(run("decide", source, "-o", target, *options), *parts)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_other_commands_point_to_it(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    out, page, plot, sheet = (tmp_path / name for name in ("r.csv", "r.html", "t.html", "audit.csv"))
    ranked = run("rank", documents, *SPORTS, "-o", out, "--report", page, "--model-out", tmp_path / "m.keysift")
    assert f"keysift decide {out} --threshold recall=0.95 -o decided.csv" in ranked.stderr
    assert f"keysift score {tmp_path / 'm.keysift'} NEW_DOCUMENTS" in ranked.stderr
    assert "keysift decide" in page.read_text(encoding="utf-8")
    swept = run("thresholds", model, documents, "--plot", plot)
    assert f"keysift decide {model} --threshold recall=0.95 -o decided.keysift" in swept.stderr
    assert "keysift decide" in plot.read_text(encoding="utf-8")
    assert run("audit", "start", out, "-n", 30, "-o", sheet, "-q").exit_code == 0
    answered = pl.read_csv(sheet, infer_schema=False).with_columns(
        answer=pl.when(pl.col("text").str.contains("hockey|baseball|striker")).then(pl.lit("y")).otherwise(pl.lit("n"))
    )
    answered.write_csv(sheet)
    told = run("audit", "report", out, sheet).stderr.splitlines()[-1]
    command = told.partition("keysift ")[2].replace("decided.csv", str(tmp_path / "decided.csv"))
    assert command.startswith(f"decide {out} --prior 0.")
    assert run(*command.split()).exit_code == 0
