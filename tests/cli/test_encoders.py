"""Sentence vectors from a column or from an encoder, through the command line."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import Result

import keysift
from tests.cli.light import KEYWORDS

Run = Callable[..., Result]
REASONS = ("evidence", "matched", "words")
pytestmark = pytest.mark.usefixtures("small_glove")


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_column_of_vectors(run: Run, corpus: pl.DataFrame, tmp_path: Path, suffix: str) -> None:
    """Vectors that know the topic, from a table through rank, fit and score, and none of them in the output."""
    topics = corpus["topic"].unique().sort().to_list()
    vectors = [[float(topic == name) for name in topics] for topic in corpus["topic"]]
    frame = corpus.select("text", v=pl.Series(vectors))
    source, out, model, again = (tmp_path / name for name in (f"in.{suffix}", "out.csv", "m.keysift", "again.csv"))
    if suffix == "csv":
        frame.with_columns(v=pl.Series([str(vector) for vector in vectors])).write_csv(source)
    elif suffix == "jsonl":
        frame.write_ndjson(source)
    else:
        frame.write_parquet(source)
    options = ["-k", "hockey", "--rounds", "0", "--vector-column", "v"]
    result = run("rank", source, *options, "-o", out, "--model-out", model)
    assert result.exit_code == 0, result.output
    ranking = pl.read_csv(out)
    figures = ["id", "rank", "score", "decision", "chance", "pseudo_positive"]
    assert ranking.columns == [*figures, *REASONS, "model", "text"]
    assert "(sentence vector)" in ranking["evidence"][0]
    sports = set(corpus.filter(topic="sports")["text"])
    assert set(ranking["text"].head(20)) == sports
    expected = keysift.KeywordClassifier("hockey", learning=keysift.LearnConfig(rounds=0))
    in_order = expected.fit_rank(corpus["text"], embeddings=vectors)
    assert ranking["score"].to_list() == pytest.approx(in_order["score"].to_list())

    assert run("score", model, source, "--vector-column", "v", "-o", again).exit_code == 0
    assert again.read_text() == out.read_text()
    refused = run("score", model, source, "-o", again, "--text", "text")
    assert refused.exit_code == 2
    assert "fitted with vectors made elsewhere" in refused.stderr
    assert "--vector-column" in refused.stderr
    fitted = run("fit", source, *options, "-o", tmp_path / "fitted.keysift")
    assert fitted.exit_code == 0, fitted.output
    assert (tmp_path / "fitted.keysift").read_bytes() == model.read_bytes()


def test_vectors_for_a_model_without(run: Run, model: Path, corpus: pl.DataFrame, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    corpus.select("text", v=pl.Series([[1.0]] * len(corpus))).write_ndjson(source)
    refused = run("score", model, source, "--vector-column", "v")
    assert refused.exit_code == 2
    assert "fitted without sentence vectors" in refused.stderr


def test_an_encoder_that_a_model_names_is_loaded_only_if_asked_for(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keysift.encoding import encoder

    class Model:
        def encode(self, texts: list[str], **_: Any) -> list[list[float]]:
            sports = ("game", "goal", "team", "match", "season", "fans", "playoff", "striker", "tournament")
            return [[float(sum(word in text for word in sports)), len(text) / 100] for text in texts]

    loaded: list[str] = []

    def load(source: str, identity: str) -> Model:
        loaded.append(source)
        return Model()

    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(encoder, "_load", load)
    out, model, again = (tmp_path / name for name in ("out.parquet", "m.keysift", "again.parquet"))
    options = ["-k", KEYWORDS, "--rounds", "0", "--encoder", "small-model"]
    result = run("rank", documents, *options, "-o", out, "--model-out", model)
    assert result.exit_code == 0, result.output
    assert "Encoding … " in result.stderr
    assert set(loaded) == {"small-model"}
    assert pl.read_parquet(out)["evidence"].str.contains("(sentence vector)", literal=True).any()
    loaded.clear()
    refused = run("score", model, documents, "-o", again)
    assert refused.exit_code == 2
    assert "names the encoder 'small-model', and what only a file names is not loaded" in refused.stderr
    assert "ask for it with --encoder small-model, or hand in --vector-column." in refused.stderr
    assert loaded == []
    asked = ["--encoder", "small-model"]
    assert run("score", model, documents, "-o", again, *asked).exit_code == 0
    assert pl.read_parquet(again).equals(pl.read_parquet(out))
    assert run("thresholds", model, documents).exit_code == 2
    for command in (["thresholds", model, documents], ["evaluate", documents, "--model", model]):
        assert run(*command, *asked).exit_code == 0
    other = run("score", model, documents, "-o", again, "--encoder", "other-model")
    assert "was fitted with the encoder 'small-model', not with 'other-model'" in other.stderr


def test_without_the_extra_for_encoders(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keysift.encoding import encoder

    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    encoder._load.cache_clear()
    result = run("rank", documents, "-k", KEYWORDS, "--encoder", "small-model")
    assert result.exit_code == 2
    assert "pip install 'keysift[encoder]'" in result.stderr
    assert "Traceback" not in result.output


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "cache"))


def test_the_encoder_that_comes_with_keysift_is_the_default(run: Run, documents: Path, tmp_path: Path) -> None:
    outs = [tmp_path / f"{name}.parquet" for name in ("default", "minilm", "none")]
    for out, options in zip(outs, ([], ["--encoder", "minilm"], ["--encoder", "none"]), strict=True):
        result = run("rank", documents, "-k", KEYWORDS, "-o", out, *options)
        assert result.exit_code == 0, result.output
        assert ("Encoding … " in result.stderr) == ("none" not in options)
    default, named, without = map(pl.read_parquet, outs)
    assert default.equals(named)
    assert default["evidence"].str.contains("(sentence vector)", literal=True).any()
    assert not without["evidence"].str.contains("(sentence vector)", literal=True).any()
    assert without["evidence"].str.contains("moved by: ", literal=True).all()
    for ranking in (default, without):
        assert ranking["label"].head(20).to_list().count("1") >= 19


@pytest.mark.usefixtures("empty_cache")
def test_no_time_to_encode(run: Run, documents: Path, tmp_path: Path) -> None:
    out, model, again = (tmp_path / name for name in ("out.parquet", "m.keysift", "again.parquet"))
    result = run("rank", documents, "-k", KEYWORDS, "--encode-budget", "0", "-o", out, "--model-out", model)
    assert result.exit_code == 0, result.output
    notes = [line for line in result.stderr.splitlines() if line.startswith("Note: Encoding all 60 documents ")]
    assert len(notes) == 1
    assert "longer than the budget of 0 s: 0 were encoded" in notes[0]
    ranking = pl.read_parquet(out)
    assert sorted(ranking["id"].cast(pl.Int64)) == list(range(100, 160))
    assert ranking["label"].head(10).to_list().count("1") >= 9
    told = run("score", model, documents, "-o", again)
    assert told.exit_code == 0, told.output


def test_without_onnxruntime_words_and_their_pieces_are_looked_at(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keysift.encoding.minilm.available", lambda: "onnxruntime is not installed")
    bare, without = tmp_path / "bare.csv", tmp_path / "without.csv"
    result = run("rank", documents, "-k", KEYWORDS, "-o", bare, "-q")
    assert result.exit_code == 0, result.output
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("Note: Sentences are not looked at, because onnxruntime is not installed; ")
    told = run("rank", documents, "-k", KEYWORDS, "--encoder", "none", "-o", without, "-q")
    assert (told.exit_code, told.stderr) == (0, "")
    assert bare.read_bytes() == without.read_bytes()


def test_only_counting_keywords_needs_no_encoder(run: Run, documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keysift.encoding.minilm.available", lambda: "onnxruntime is not installed")
    result = run("keywords", documents, "-k", KEYWORDS, "--no-learn")
    assert result.exit_code == 0, result.output
    assert "onnxruntime" not in result.stderr


def test_a_network_needs_no_encoder(run: Run, documents: Path, tmp_path: Path) -> None:
    outs = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for out, encoder in zip(outs, ("minilm", "none"), strict=True):
        options = ["--encoder", encoder, "--model", "mlp", "--epochs", 1]
        result = run("rank", documents, "-k", KEYWORDS, *options, "-o", out)
        assert result.exit_code == 0, result.output
        assert "Encoding" not in result.stderr
    assert pl.read_parquet(outs[0]).equals(pl.read_parquet(outs[1]))
