"""`--work`: a second run starts where the first was ready, and says the same."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift.workfolder import FILE
from tests.cli.light import LIGHT, SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def refused(result: Result, *parts: str) -> None:
    assert result.exit_code == 2, result.output
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1
    assert "Traceback" not in result.output
    for part in parts:
        assert part in errors[0], errors[0]


def test_rank_gives_the_same_bytes(run: Run, documents: Path, tmp_path: Path) -> None:
    work, ours, theirs = tmp_path / "work", tmp_path / "ours.csv", tmp_path / "theirs.csv"
    for keywords in ("hockey, baseball", "chef, baker"):
        result = run("rank", documents, "-k", keywords, "--work", work, "-o", ours)
        assert result.exit_code == 0, result.output
        assert "Keeping the corpus … " in result.stderr
        assert run("rank", documents, "-k", keywords, "-o", theirs, "-q").exit_code == 0
        assert ours.read_bytes() == theirs.read_bytes()
    assert [path.name for path in work.iterdir()] == [FILE]


def test_fit_gives_the_same_model(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    for _ in range(2):
        result = run("fit", documents, *SPORTS, "--work", tmp_path / "work", "-o", tmp_path / "m.keysift")
        assert result.exit_code == 0, result.output
        assert (tmp_path / "m.keysift").read_bytes() == model.read_bytes()


def test_a_column_of_vectors(run: Run, corpus: pl.DataFrame, tmp_path: Path) -> None:
    source, outs = tmp_path / "in.jsonl", [tmp_path / f"{number}.csv" for number in range(3)]
    corpus.select("text", v=pl.Series([[float(len(text)), 1.0] for text in corpus["text"]])).write_ndjson(source)
    for out, work in zip(outs, (["--work", tmp_path / "w"], ["--work", tmp_path / "w"], []), strict=True):
        options = ["-k", "hockey, baseball", "--rounds", "0", "--vector-column", "v"]
        assert run("rank", source, *options, "-o", out, *work).exit_code == 0
    assert outs[0].read_bytes() == outs[1].read_bytes() == outs[2].read_bytes()


def test_another_corpus_or_other_settings_are_refused(run: Run, documents: Path, tmp_path: Path) -> None:
    work, out, other = tmp_path / "work", tmp_path / "out.csv", tmp_path / "other.txt"
    assert run("rank", documents, *SPORTS, "--work", work, "-q").exit_code == 0
    before = (work / FILE).read_bytes()
    other.write_text("a hockey game\na tax law\n", encoding="utf-8")
    end = "choose another folder, or remove this one."
    refused(
        run("rank", other, *SPORTS, "--work", work, "-o", out),
        f"The work folder {work} belongs to another corpus: {documents} with 60 documents, not {other} with 2",
        end,
    )
    for options, told in (
        (["--views", "words", "--encoder", "none"], "other views (words, characters; now words)"),
        ([*LIGHT, "--vectors", "corpus"], "other vectors (glove-6b-50d; now corpus)"),
        ([*LIGHT, "--stop-words", "none"], "other stop_words (english; now none)"),
    ):
        refused(run("rank", documents, "-k", "hockey", *options, "--work", work, "-o", out), told, end)
    assert (work / FILE).read_bytes() == before
    assert not out.exists()


def test_a_damaged_file_is_made_again(run: Run, documents: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    assert run("rank", documents, *SPORTS, "--work", work, "-q").exit_code == 0
    whole = (work / FILE).read_bytes()
    (work / FILE).write_bytes(whole[:1000])
    result = run("rank", documents, *SPORTS, "--work", work, "-q")
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines() == [
        f"Note: The file {work / FILE} of the work folder is damaged, or from another version of keysift; it is made"
        " again."
    ]
    assert (work / FILE).read_bytes() == whole


def test_folders_that_cannot_be_used(run: Run, documents: Path, tmp_path: Path) -> None:
    for work, told in (
        (documents, "it is a file; choose another name"),
        (documents / "inside", "not a directory; choose another place"),
    ):
        result = run("rank", documents, *SPORTS, "--work", work)
        refused(result, told)
        assert "Reading" not in result.stderr


def test_a_full_disk_does_not_cost_the_ranking(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors import SafetensorError

    from keysift.files import tensors

    def full(*_: object) -> None:
        raise SafetensorError("No space left on device")

    monkeypatch.setattr(tensors, "save_file", full)
    out = tmp_path / "out.csv"
    result = run("rank", documents, *SPORTS, "--work", tmp_path / "work", "-o", out, "-q")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("Note: The work folder is left as it is. Cannot write ")
    assert len(pl.read_csv(out)) == 60
