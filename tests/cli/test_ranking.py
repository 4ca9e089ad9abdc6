import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import Result

import keysift
from tests.cli.light import KEYWORDS, LIGHT, SPORTS

Run = Callable[..., Result]
REASONS = ("evidence", "matched", "words")
pytestmark = pytest.mark.usefixtures("small_glove")


def test_rank_writes_every_document_with_rank_score_decision_and_evidence(
    run: Run, documents: Path, tmp_path: Path
) -> None:
    out = tmp_path / "ranking.csv"
    result = run("rank", documents, "--keywords", KEYWORDS, "-o", out)
    assert result.exit_code == 0, result.output
    ranking = pl.read_csv(out)
    assert ranking.columns == [
        "id",
        "rank",
        "score",
        "decision",
        "chance",
        "pseudo_positive",
        *REASONS,
        "model",
        "text",
        "label",
    ]
    assert ranking["rank"].to_list() == list(range(1, 61))
    assert ranking["score"].is_sorted(descending=True)
    assert ranking["chance"].is_between(0, 1).all()
    assert ranking["chance"].is_sorted(descending=True)
    assert sorted(ranking["id"]) == list(range(100, 160))
    assert ranking["label"].head(10).sum() == 10
    hit = ranking.filter(pl.col("text").str.contains("hockey")).row(0, named=True)
    assert "keywords: hockey" in hit["evidence"]
    assert "moved by: " in hit["evidence"]
    assert json.loads(hit["matched"]) == ["hockey"]
    assert "hockey" in json.loads(hit["words"])


def test_rank_says_what_it_did_and_where_the_prior_comes_from(run: Run, documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "ranking.csv"
    told = run("rank", documents, *SPORTS, "-o", out).stderr
    assert "Tokenising … " in told
    assert "keywords cannot tell how many; answer 20 documents to know (keysift rank with --ask 20" in told
    assert f"Wrote the ranking to {out}." in told
    given = run("rank", documents, *SPORTS, "-o", out, "--prior", "0.25").stderr
    assert "prior 0.25, as given" in given
    assert "15 of 60 documents score above the threshold" in given


def test_without_output_the_top_20_are_shown(run: Run, documents: Path) -> None:
    result = run("rank", documents, *SPORTS)
    assert "Top 20 of 60" in result.stdout
    assert "moved by: " in result.stdout
    assert "Top 20" not in result.stderr


def test_quiet_leaves_only_the_result(run: Run, documents: Path) -> None:
    result = run("rank", documents, *SPORTS, "--quiet")
    assert result.stderr == ""
    assert "Top 20 of 60" in result.stdout


def test_top_and_threshold_decide(run: Run, documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "ranking.csv"
    run("rank", documents, *SPORTS, "-o", out, "--top", 7)
    assert pl.read_csv(out)["decision"].sum() == 7
    run("rank", documents, *SPORTS, "-o", out, "--threshold", 0.5)
    ranking = pl.read_csv(out)
    assert ((ranking["score"] > 0.5) == (ranking["decision"] == 1)).all()


def test_fit_then_score_equals_python(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "scored.parquet"
    assert run("score", model, documents, "-o", out).exit_code == 0
    scored = pl.read_parquet(out)
    clf = keysift.load(model)
    assert scored["score"].to_list() == clf.decision_function(scored["text"]).tolist()
    assert scored["decision"].to_list() == clf.predict(scored["text"]).tolist()


def test_rank_and_score_agree_to_the_bit(run: Run, documents: Path, tmp_path: Path) -> None:
    first, second, model = (tmp_path / name for name in ("first.parquet", "second.parquet", "m.keysift"))
    assert run("rank", documents, "-k", KEYWORDS, "-o", first, "--model-out", model).exit_code == 0
    told = run("score", model, documents, "-o", second)
    assert pl.read_parquet(first).equals(pl.read_parquet(second))
    assert "documents score above the threshold" in told.stderr


def test_weights_phrases_files_and_learning_options(run: Run, documents: Path, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("# what we look for\nhockey team: 2\nbaseball\n", encoding="utf-8")
    stop = tmp_path / "stop.txt"
    stop.write_text("the a of", encoding="utf-8")
    options = ["--vectors", "corpus", "--loss", "ramp", "--never-add", "game, match", "--alpha", 2, "--gamma", 3]
    result = run("rank", documents, "-k", words, "--stop-words", stop, "--phi", 80, "--l2", 0.3, *options)
    assert result.exit_code == 0, result.output
    assert "2 keywords" in result.stderr


def test_a_missing_keyword_is_named_with_what_is_there(run: Run, documents: Path) -> None:
    result = run("rank", documents, "-k", "hockey, skating, hokcey", "--gamma", 5, *LIGHT)
    assert result.exit_code == 0
    assert "Note: The keyword 'skating' is in no document" in result.stderr
    assert "'hokcey' is in no document and has no vector; the nearest words in the documents: hockey" in result.stderr


def test_the_quality_is_told(run: Run, documents: Path, tmp_path: Path) -> None:
    def told(keywords: str, source: Path = documents) -> list[str]:
        lines = run("rank", source, "-k", keywords, *LIGHT).stderr.splitlines()
        return [line for line in lines if line.startswith(("Quality", "Note: Consider dropping"))]

    (several,) = told("hockey, baseball, striker")
    assert several.startswith("Quality without labels: 1.00 (0.5 is chance), ")
    assert several.endswith("measured by finding documents of left-out keywords.")
    thrice = tmp_path / "thrice.csv"
    pl.concat([pl.read_csv(documents)] * 3).write_csv(thrice)
    (one,) = told("tax", thrice)
    assert one.startswith("Quality without labels: unknown, because it takes two or more keywords")
    few = tmp_path / "few.txt"
    few.write_text("a hockey game\na baseball season\na tax law\nwater and wine\n", encoding="utf-8")
    (none,) = told("hockey, baseball", few)
    assert none.startswith("Quality without labels: unknown, because it takes two or more keywords")
    assert "More documents or more frequent keywords help" in none


def test_keywords_that_find_each_other_only_by_chance_are_doubted(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words = ["water", "wine", "tax", "law", "season", "music", "river", "table", "window", "paper", "garden"]
    endings = [["hockey"], ["baseball"], ["hockey", "baseball"], [], [], [], []]
    texts = [" ".join([*rng.choice(words, 8), *endings[rng.integers(7)]]) for _ in range(300)]
    source, report = tmp_path / "random.txt", tmp_path / "report.html"
    source.write_text("\n".join(texts), encoding="utf-8")
    told = run("rank", source, "-k", "hockey, baseball", "--report", report, *LIGHT).stderr
    assert "Note: The quality is within chance (up to 0.6" in told
    assert "Read the top documents before you rely on the ranking" in told
    assert "Doubtful." in report.read_text(encoding="utf-8")


def test_an_ambiguous_keyword_is_named(run: Run, tmp_path: Path, corpus: pl.DataFrame) -> None:
    source = tmp_path / "many.csv"
    texts = [
        f"indeed {text}" if (place + number) % 3 == 0 else text
        for number in range(3)
        for place, text in enumerate(corpus["text"])
    ]
    pl.DataFrame({"text": texts}).write_csv(source)
    result = run("rank", source, "-k", "hockey, baseball, striker, indeed", *LIGHT, "-o", tmp_path / "out.csv")
    doubted = [line for line in result.stderr.splitlines() if line.startswith("Note: Consider dropping ")]
    assert len(doubted) == 1
    assert doubted[0].startswith("Note: Consider dropping “indeed” (agreement 0.")


def test_score_writes_a_report(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    page = tmp_path / "<i>.html"
    result = run("score", model, documents, "--report", page, "--prior", 0.5)
    assert result.exit_code == 0, result.output
    assert f"Wrote the report to {page}" in result.stderr
    html = page.read_text(encoding="utf-8")
    assert "prior, as given" in html
    assert "<h2>Keywords</h2>" in html
    assert "<h2>Quality without labels</h2>" in html
    refused = run("score", model, documents, "--report", tmp_path / "r.pdf")
    assert refused.exit_code == 2
    assert ".html" in refused.stderr
