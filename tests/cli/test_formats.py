"""Files of every format in and out, and what becomes of their columns and rows."""

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from tests.cli.light import SPORTS

Run = Callable[..., Result]
REASONS = ("evidence", "matched", "words")
pytestmark = pytest.mark.usefixtures("small_glove")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".xlsx", ".ris", ".ris.gz"])
def test_all_output_formats_hold_the_same_ranking(run: Run, documents: Path, tmp_path: Path, suffix: str) -> None:
    from keysift.corpus.reading import read_table

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
        "chance",
        "pseudo_positive",
        *REASONS,
        "model",
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


def test_empty_documents_are_counted(run: Run, documents: Path, model: Path) -> None:
    for command in (("rank", documents, *SPORTS), ("score", model, documents)):
        assert "are empty" not in (said := run(*command).stderr), said
        assert "without a word" not in said
    with documents.open("a") as file:
        file.write("900,,0\n901,  ...  ,0\n")
    ranked, scored = run("rank", documents, *SPORTS, "--text", "text"), run("score", model, documents, "--text", "text")
    assert f"Learned from 60 documents ({documents}, column 'text'; 2 more are empty and left out):" in ranked.stderr
    assert (
        f"Read 62 documents ({documents}, column 'text'). 2 documents, empty or excluded, come last." in scored.stderr
    )


def test_a_ranking_can_be_scored_again_without_options(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "ranking.csv"
    assert run("score", model, documents, "-o", out).exit_code == 0
    assert run("score", model, out, "-o", tmp_path / "again.csv").exit_code == 0
    again = pl.read_csv(tmp_path / "again.csv")
    assert again["score"].to_list() == again["score_input"].to_list()
