import gzip
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import Result

import keysift
from tests.cli.light import KEYWORDS, LIGHT, SPORTS

Run = Callable[..., Result]
COMMAND = [sys.executable, "-c", "from keysift.cli import main; main()"]
pytestmark = pytest.mark.usefixtures("small_glove")


def test_rank_writes_every_document_with_rank_score_decision_and_evidence(
    run: Run, documents: Path, tmp_path: Path
) -> None:
    out = tmp_path / "ranking.csv"
    result = run("rank", documents, "--keywords", KEYWORDS, "-o", out)
    assert result.exit_code == 0, result.output
    ranking = pl.read_csv(out)
    assert ranking.columns == ["id", "rank", "score", "decision", "pseudo_positive", "evidence", "text", "label"]
    assert ranking["rank"].to_list() == list(range(1, 61))
    assert ranking["score"].is_sorted(descending=True)
    assert sorted(ranking["id"]) == list(range(100, 160))
    assert ranking["label"].head(10).sum() == 10
    hit = ranking.filter(pl.col("text").str.contains("hockey")).row(0, named=True)
    assert "keywords: hockey" in hit["evidence"]
    assert "moved by: " in hit["evidence"]


def test_rank_says_what_it_did_and_where_the_prior_comes_from(run: Run, documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "ranking.csv"
    told = run("rank", documents, *SPORTS, "-o", out).stderr
    assert "Tokenising … " in told
    assert "estimated from 2 rankings blind to some of the keywords" in told
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


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz"])
def test_all_output_formats_hold_the_same_ranking(run: Run, documents: Path, tmp_path: Path, suffix: str) -> None:
    from keysift.corpus import read_table

    out = tmp_path / f"ranking{suffix}"
    assert run("rank", documents, *SPORTS, "-o", out).exit_code == 0
    frame, _ = read_table(out)
    assert frame.height == 60
    assert int(frame["rank"][0]) == 1


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "ndjson", "parquet", "txt", "folder", "csv.gz", "txt.gz"])
def test_all_input_formats_give_the_same_scores(
    run: Run, documents: Path, corpus: pl.DataFrame, tmp_path: Path, kind: str
) -> None:
    source, scores = tmp_path / f"input.{kind}", []
    texts = corpus.select("text")
    write: dict[str, Callable[[Path], object]] = {
        "csv": texts.write_csv,
        "tsv": lambda path: texts.write_csv(path, separator="\t"),
        "jsonl": texts.write_ndjson,
        "ndjson": texts.write_ndjson,
        "parquet": texts.write_parquet,
        "txt": lambda path: path.write_text("\n".join(texts["text"]) + "\n"),
    }
    if kind == "folder":
        source.mkdir()
        for number, text in enumerate(texts["text"]):
            (source / f"{number:03}.txt").write_text(text)
    elif kind.endswith(".gz"):
        plain = tmp_path / "plain"
        write[kind.removesuffix(".gz")](plain)
        source.write_bytes(gzip.compress(plain.read_bytes()))
    else:
        write[kind](source)
    for path in (documents, source):
        out = tmp_path / "ranking.parquet"
        options = ["--text", "text"] if path == documents else []
        assert run("rank", path, *SPORTS, "-o", out, *options).exit_code == 0
        scores.append(pl.read_parquet(out)["score"].to_list())
    assert scores[0] == scores[1]


def test_standard_input_is_one_document_a_line_or_as_told(run: Run, corpus: pl.DataFrame, tmp_path: Path) -> None:
    out = tmp_path / "ranking.csv"
    assert run("rank", "-", *SPORTS, "-o", out, input="\n".join(corpus["text"])).exit_code == 0
    assert len(pl.read_csv(out)) == 60
    table = corpus.write_csv()
    assert run("rank", "-", *SPORTS, "-o", out, "--format", "csv", "--text", "text", input=table).exit_code == 0
    assert "topic" in pl.read_csv(out).columns


def test_columns_that_clash_are_renamed_and_the_id_column_is_used(
    run: Run, corpus: pl.DataFrame, tmp_path: Path
) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    corpus.with_columns(score=pl.lit(7), key=pl.col("text").hash().cast(pl.String)).write_ndjson(source)
    assert run("rank", source, *SPORTS, "-o", out, "--text", "text", "--id", "key").exit_code == 0
    ranking = pl.read_ndjson(out)
    assert ranking.columns == [
        "id",
        "rank",
        "score",
        "decision",
        "pseudo_positive",
        "evidence",
        "topic",
        "text",
        "score_input",
    ]
    assert set(ranking["score_input"]) == {7}


def test_empty_documents_are_kept_last_and_negative(run: Run, documents: Path, tmp_path: Path) -> None:
    with documents.open("a") as file:
        file.write("900,,0\n901,  ...  ,0\n")
    out = tmp_path / "ranking.csv"
    for decision in (["--prior", "0.99"], ["--threshold", "-1000"], ["--top", "62"]):
        assert run("rank", documents, *SPORTS, "-o", out, "--text", "text", *decision).exit_code == 0
        last = pl.read_csv(out).tail(2)
        assert sorted(last["id"]) == [900, 901]
        assert last["decision"].to_list() == [0, 0]


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
    options = ["--vectors", "corpus", "--loss", "ramp", "--exclude", "game, match", "--alpha", 2, "--gamma", 3]
    result = run("rank", documents, "-k", words, "--stop-words", stop, "--phi", 80, "--l2", 0.3, *options)
    assert result.exit_code == 0, result.output
    assert "2 keywords" in result.stderr


def test_a_missing_keyword_is_named_with_what_is_there(run: Run, documents: Path) -> None:
    result = run("rank", documents, "-k", "hockey, skating, hokcey", "--gamma", 5, *LIGHT)
    assert result.exit_code == 0
    assert "Note: The keyword 'skating' is in no document" in result.stderr
    assert "'hokcey' is in no document and has no vector; the nearest words that are there: hockey" in result.stderr


def test_the_quality_is_told(run: Run, documents: Path, tmp_path: Path) -> None:
    def told(keywords: str, source: Path = documents) -> list[str]:
        lines = run("rank", source, "-k", keywords, *LIGHT).stderr.splitlines()
        return [line for line in lines if line.startswith(("Quality", "Note: Ambiguous"))]

    (several,) = told("hockey, baseball, striker")
    assert several.startswith("Quality without labels: 1.00 (")
    assert several.endswith("(documents found by keywords that were left out; 0.5 is chance).")
    thrice = tmp_path / "thrice.csv"
    pl.concat([pl.read_csv(documents)] * 3).write_csv(thrice)
    (one,) = told("tax", thrice)
    assert "only one keyword finds documents, so documents were left out instead of keywords" in one
    few = tmp_path / "few.txt"
    few.write_text("a hockey game\na baseball season\na tax law\nwater and wine\n", encoding="utf-8")
    (none,) = told("hockey, baseball", few)
    assert none.startswith("Quality without labels: unknown; fewer than 5 documents")
    assert "rests on the keywords alone" in none


def test_keywords_that_find_each_other_only_by_chance_are_doubted(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words = ["water", "wine", "tax", "law", "season", "music", "river", "table", "window", "paper", "garden"]
    endings = [["hockey"], ["baseball"], ["hockey", "baseball"], [], [], [], []]
    texts = [" ".join([*rng.choice(words, 8), *endings[rng.integers(7)]]) for _ in range(300)]
    source, report = tmp_path / "random.txt", tmp_path / "report.html"
    source.write_text("\n".join(texts), encoding="utf-8")
    told = run("rank", source, "-k", "hockey, baseball", "--report", report, *LIGHT).stderr
    assert "Note: Chance alone may reach a quality of 0.6" in told
    assert "read the top documents before you rely on the ranking" in told
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
    doubted = [line for line in result.stderr.splitlines() if line.startswith("Note: Ambiguous: ")]
    assert len(doubted) == 1
    assert doubted[0].startswith("Note: Ambiguous: indeed (belief 0.")


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
    options = ["-k", "hockey", *LIGHT, "--vector-column", "v"]
    result = run("rank", source, *options, "-o", out, "--model-out", model)
    assert result.exit_code == 0, result.output
    ranking = pl.read_csv(out)
    assert ranking.columns == ["id", "rank", "score", "decision", "pseudo_positive", "evidence", "text"]
    assert "(sentence vector)" in ranking["evidence"][0]
    sports = set(corpus.filter(topic="sports")["text"])
    assert set(ranking["text"].head(20)) == sports
    expected = keysift.KeywordClassifier("hockey", views=("words",), settings=keysift.Settings(believe=0.0))
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


def test_an_encoder_by_name_is_loaded_again(
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
    options = [*SPORTS, "--encoder", "small-model"]
    result = run("rank", documents, *options, "-o", out, "--model-out", model)
    assert result.exit_code == 0, result.output
    assert "Encoding … " in result.stderr
    assert set(loaded) == {"small-model"}
    assert pl.read_parquet(out)["evidence"].str.contains("(sentence vector)", literal=True).any()
    assert run("score", model, documents, "-o", again).exit_code == 0
    assert pl.read_parquet(again).equals(pl.read_parquet(out))


def test_without_the_extra_for_encoders(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keysift.encoding import encoder

    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    encoder._load.cache_clear()
    result = run("rank", documents, *SPORTS, "--encoder", "small-model")
    assert result.exit_code == 2
    assert "pip install 'keysift[encoder]'" in result.stderr
    assert "Traceback" not in result.output


def test_progress_bars_on_a_terminal(documents: Path, tmp_path: Path) -> None:
    reader, terminal = os.openpty()
    command = [*COMMAND, "rank", str(documents), *SPORTS, "-o", str(tmp_path / "out.csv")]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(command, stderr=terminal, stdout=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    seen = b""
    while True:
        try:
            part = os.read(reader, 4096)
        except OSError:  # the terminal is closed
            break
        if not part:
            break
        seen += part
    os.close(reader)
    assert process.wait() == 0
    assert "━".encode() in seen
    assert b"Fitting all pairs" in seen


def test_interrupting_leaves_no_file(tmp_path: Path, corpus: pl.DataFrame) -> None:
    source, out = tmp_path / "large.parquet", tmp_path / "out.csv"
    pl.concat([corpus] * 4000).write_parquet(source)
    command = [*COMMAND, "rank", str(source), "--text", "text", *SPORTS, "-o", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    assert "Reading" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 130, told
    assert "Stopped. No file was left half-written." in told
    assert "Traceback" not in told
    assert [path.name for path in tmp_path.iterdir()] == ["large.parquet"]


def test_interrupting_the_writing_leaves_no_file(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keysift.corpus import writing

    def interrupted(frame: pl.DataFrame, part: Path, compression: str) -> None:
        part.write_text("half a ranking")
        raise KeyboardInterrupt

    monkeypatch.setitem(writing.WRITERS, "csv", interrupted)
    result = run("rank", documents, *SPORTS, "-o", tmp_path / "out.csv")
    assert result.exit_code == 130
    assert "Stopped. No file was left half-written." in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["documents.csv"]


def test_a_ranking_can_be_scored_again_without_options(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "ranking.csv"
    assert run("score", model, documents, "-o", out).exit_code == 0
    assert run("score", model, out, "-o", tmp_path / "again.csv").exit_code == 0
    again = pl.read_csv(tmp_path / "again.csv")
    assert again["score"].to_list() == again["score_input"].to_list()


def test_text_cannot_steer_the_terminal(run: Run, documents: Path, tmp_path: Path) -> None:
    with documents.open("a") as file:
        file.write('7,"\x1b[31mhockey \x1b]0;title\x07 [red]hockey[/red] baseball",1\n')
    for command in ("rank", "keywords"):
        result = run(command, documents, *SPORTS)
        assert "\x1b" not in result.output
        assert "\x07" not in result.output
        assert "[red]hockey[/red]" in result.stdout


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_closed_streams_do_no_harm(documents: Path, tmp_path: Path, closed: str) -> None:
    redirect = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}[closed]
    out = tmp_path / "out.csv"
    command = shlex.join([*COMMAND, "rank", str(documents), *SPORTS, "-o", str(out)])
    finished = subprocess.run(f"{command} {redirect}", shell=True, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr
    assert out.exists()


def test_a_terminal_without_unicode(documents: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [*COMMAND, "rank", str(documents), *SPORTS]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr


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
    from keysift.training import minibatch

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
