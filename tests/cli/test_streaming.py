"""Corpora larger than --sample: the same result whoever works on them, and after any accident."""

import gzip
import io
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift import sharded
from keysift.cli import line_by_line
from keysift.corpus import scan
from keysift.corpus.reading import read_table
from keysift.metrics import auc_between
from keysift.streaming import excerpt, sorting
from tests.cli.light import COMMAND
from tests.cli.test_work import refused
from tests.streaming.made_stream import OPTIONS, made_documents, write_documents

Run = Callable[..., Result]
SMALL = ["--sample", 200, "--id", "key"]
ALONE = ["--memory", "500MB"]
"""In this process: there is no room for another."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "in.csv")


@pytest.fixture
def _many_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "SHARD_BYTES", 12_000)


def ok(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.stderr


def test_one_shard_many_shards_and_many_processes_write_the_same_bytes(
    run: Run, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outs = [tmp_path / f"{number}.csv" for number in range(3)]
    said = ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "-o", outs[0]))
    assert "Read 600 documents" in said
    assert "Learned from 200 documents" in said
    monkeypatch.setattr(scan, "SHARD_BYTES", 12_000)
    ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "-o", outs[1]))
    ok(run("rank", source, *OPTIONS, *SMALL, "-o", outs[2]))
    assert outs[0].read_bytes() == outs[1].read_bytes() == outs[2].read_bytes()
    ranked = pl.read_csv(outs[0])
    assert ranked["rank"].to_list() == list(range(1, 601))
    assert set(ranked["id"]) == set(made_documents(600)["key"])
    assert ranked["score"].is_sorted(descending=True)
    by_topic = ranked.filter(pl.col("text").fill_null("") != "").partition_by("sports", as_dict=True)
    assert auc_between(by_topic[(True,)]["score"].to_numpy(), by_topic[(False,)]["score"].to_numpy()) > 0.9
    assert ranked.filter(pl.col("text").fill_null("") == "")["rank"].min() == 589  # twelve empty ones come last
    positive = ranked.filter(pl.col("decision") == 1)
    assert len(positive)
    assert positive["evidence"].str.len_chars().min() > 0  # type: ignore[operator]


def test_the_order_of_the_input_does_not_matter(run: Run, source: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    pl.read_csv(source, infer_schema=False).sample(fraction=1.0, shuffle=True, seed=1).write_csv(other)
    for path in (source, other):
        ok(run("rank", path, *OPTIONS, *SMALL, *ALONE, "-o", path.with_suffix(".parquet")))
    ours, theirs = (
        pl.read_parquet(path.with_suffix(".parquet")).sort("id").select("id", "score", "decision", "chance", "model")
        for path in (source, other)
    )
    assert ours.equals(theirs)


def test_a_sample_of_everything_learns_what_memory_learns(run: Run, source: Path, tmp_path: Path) -> None:
    ok(run("rank", source, *OPTIONS, "--id", "key", "-o", tmp_path / "memory.parquet"))
    ok(run("rank", source, *OPTIONS, "--id", "key", *ALONE, "--unsorted", "-o", tmp_path / "stream.parquet"))
    ours, theirs = (pl.read_parquet(tmp_path / f"{name}.parquet").sort("id") for name in ("stream", "memory"))
    assert "rank" not in ours.columns
    assert ours["score"].to_numpy() == pytest.approx(theirs["score"].to_numpy(), abs=1e-3)
    assert (ours["decision"] == theirs["decision"]).mean() > 0.99  # type: ignore[operator]


@pytest.mark.usefixtures("_many_shards")
def test_a_run_that_was_killed_goes_on(source: Path, run: Run, tmp_path: Path) -> None:
    work, out, whole = tmp_path / "work", tmp_path / "out.csv", tmp_path / "whole.csv"
    ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "-o", whole))
    code = "from keysift.corpus import scan; scan.SHARD_BYTES = 12_000; from keysift.cli import main; main()"
    arguments = ["rank", source, *OPTIONS, *SMALL, *ALONE, "--work", work, "-o", out]
    with subprocess.Popen([COMMAND[0], "-c", code, *map(str, arguments)], stderr=subprocess.PIPE) as process:
        first = work / "shards" / "scored-000000.parquet.json"
        deadline = time.monotonic() + 120
        while not first.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
    assert not out.exists()
    shards = work / "shards"
    finished = [shard.with_suffix("") for shard in shards.glob("*.parquet.json")]  # a shard's checksum is written last
    kept = {shard: shard.stat().st_mtime_ns for shard in finished}
    assert shards / "scored-000000.parquet" in kept
    ok(run(*arguments))
    assert out.read_bytes() == whole.read_bytes()
    assert {shard: shard.stat().st_mtime_ns for shard in finished} == kept  # nothing that was finished was made again


def test_a_damaged_shard_is_made_again(run: Run, source: Path, tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out.csv"
    command = ("rank", source, *OPTIONS, *SMALL, *ALONE, "--work", work, "-o", out)
    ok(run(*command))
    before, shard = out.read_bytes(), work / "shards" / "scored-000000.parquet"
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    assert f"The file {shard} of the work folder is damaged; it is made again." in ok(run(*command))
    assert out.read_bytes() == before


def test_a_folder_of_another_corpus_or_other_settings_is_refused(run: Run, source: Path, tmp_path: Path) -> None:
    work, out, end = tmp_path / "work", tmp_path / "out.csv", "choose another folder, or remove this one."
    ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "--work", work, "-o", out))
    for changed, told in (
        (["-k", "court, senate", *OPTIONS[2:]], "other keywords"),
        ([*OPTIONS, "--l2", "0.5"], "other learning"),
    ):
        refused(run("rank", source, *changed, *SMALL, *ALONE, "--work", work, "-o", out), told, end)
    write_documents(source, seed=1)
    refused(run("rank", source, *OPTIONS, *SMALL, *ALONE, "--work", work, "-o", out), "another corpus", end)


def test_a_folder_as_output_has_a_manifest(run: Run, source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ranking"
    ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "-o", f"{folder}/"))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["documents"] == 600
    assert sorted(path.name for path in folder.glob("*.parquet")) == [file["file"] for file in manifest["files"]]
    ranked = pl.read_parquet(folder / "*.parquet")
    assert ranked["rank"].to_list() == list(range(1, 601))
    assert manifest["positive"] == ranked["decision"].sum()
    refused(run("rank", source, *OPTIONS, *SMALL, *ALONE, "-o", f"{folder}/"), "there is something already")


def test_fit_and_score_above_the_sample(run: Run, source: Path, tmp_path: Path) -> None:
    model, new, out = tmp_path / "m.keysift", write_documents(tmp_path / "new.csv", 300, seed=2), tmp_path / "out.csv"
    ok(run("fit", source, *OPTIONS, *SMALL, *ALONE, "-o", model))
    ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "--model-out", tmp_path / "same.keysift", "-o", out))
    assert model.read_bytes() == (tmp_path / "same.keysift").read_bytes()
    ok(run("score", model, new, "-o", out))
    ok(run("score", model, new, "--sample", 100, *ALONE, "--reasons", "all", "-o", tmp_path / "stream.csv"))
    assert (tmp_path / "stream.csv").read_bytes() == out.read_bytes()  # to the bit, reasons included
    ok(run("score", model, new, "--sample", 100, *ALONE, "--prior", 0.5, "-o", tmp_path / "prior.csv"))
    ok(run("score", model, new, "--prior", 0.5, "-o", out))
    ours, theirs = pl.read_csv(tmp_path / "prior.csv"), pl.read_csv(out)
    assert ours.select("id", "decision", "chance").equals(theirs.select("id", "decision", "chance"))


def test_score_line_by_line(run: Run, source: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.keysift"
    ok(run("fit", source, *OPTIONS, *SMALL, *ALONE, "-o", model))
    documents = made_documents(50, seed=3)
    result = run("score", model, "-", "-o", "-", input=documents.write_ndjson())
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["id"] for line in lines] == documents["key"].to_list()
    as_csv = run("score", model, "-", "-o", "-", "--format", "csv", input=documents.write_csv())
    assert [json.loads(line)["score"] for line in as_csv.stdout.splitlines()] == [line["score"] for line in lines]
    documents.write_csv(tmp_path / "new.csv")
    ok(run("score", model, tmp_path / "new.csv", "-o", tmp_path / "out.csv"))
    scores = dict(pl.read_csv(tmp_path / "out.csv").select("id", "score").iter_rows())
    assert {line["id"]: line["score"] for line in lines} == scores


def test_line_by_line_unzips_and_refuses_what_has_no_lines(
    run: Run, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "m.keysift"
    ok(run("fit", source, *OPTIONS, *SMALL, *ALONE, "-o", model))
    documents = made_documents(50, seed=3)
    plain = documents.write_ndjson().encode()
    expected = run("score", model, "-", "-o", "-", input=plain).stdout
    monkeypatch.setattr(line_by_line, "BATCH", 100)
    zipped = gzip.compress(plain[:1000]) + gzip.compress(plain[1000:])  # two files, one after the other
    assert run("score", model, "-", "-o", "-", input=zipped).stdout == expected
    for damaged, told in ((zipped[:-9], "ends too early"), (zipped[:50] + b"\xff" * 50, "damaged gzip")):
        refused = run("score", model, "-", "-o", "-", input=damaged)
        assert refused.exit_code == 2
        assert told in refused.stderr
    table = io.BytesIO()
    documents.write_parquet(table)
    for binary, name in ((table.getvalue(), "parquet"), (b"PK\x03\x04 and more\n", "a spreadsheet")):
        refused = run("score", model, "-", "-o", "-", input=binary)
        assert refused.exit_code == 2
        assert f"line by line, not {name}" in refused.stderr


def test_a_quoted_line_break_may_be_where_a_batch_ends(
    run: Run, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "m.keysift"
    ok(run("fit", source, *OPTIONS, *SMALL, *ALONE, "-o", model))
    monkeypatch.setattr(line_by_line, "BATCH", 100)
    rows = [f'{number},"hockey {number}\nand ""more""\n"' for number in range(30)]
    result = run("score", model, "-", "-o", "-", "--format", "csv", input="\n".join(["key,text", *rows]))
    assert result.exit_code == 0, result.output
    texts = [json.loads(line)["text"] for line in result.stdout.splitlines()]
    assert texts == [f'hockey {number}\nand "more"\n' for number in range(30)]


def test_standard_input_above_and_below_the_sample(run: Run, source: Path, tmp_path: Path) -> None:
    for sample, name in ((200, "stream"), (100_000, "memory")):
        options = ["--sample", sample, "--id", "key", "-o", tmp_path / f"{name}.csv"]
        ok(run("rank", "-", *OPTIONS, *options, input=source.read_text(encoding="utf-8")))
        ok(run("rank", source, *OPTIONS, *options[:-1], tmp_path / "file.csv"))
        assert (tmp_path / f"{name}.csv").read_bytes() == (tmp_path / "file.csv").read_bytes()


def test_what_cannot_be_meant_is_refused(run: Run, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    for options, told in (
        (["--memory", "little"], "--memory must be a size such as 2GB"),
        (["--sample", "1"], "--sample must be a whole number, 2 or more; got 1"),
        (["--engine", "spark"], "--engine must be one of local, ray; got 'spark'"),
        (["--address", "x:1"], "--address is that of a Ray cluster"),
        (["--reasons", "some"], "--reasons must be best or all"),
        ([*SMALL, "--unsorted", "--report", tmp_path / "a.html"], "--report shows the best documents"),
    ):
        refused(run("rank", source, *OPTIONS, *options, "-o", out), told)
    assert not out.exists()


def test_spreadsheets_and_references(run: Run, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "BUCKET_BYTES", 20_000)  # several pieces
    outs = {kind: tmp_path / f"out.{kind}" for kind in ("csv", "xlsx", "ris")}
    for out in outs.values():
        ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "-o", out))
    rows, sheet = pl.read_csv(outs["csv"]), read_table(outs["xlsx"])[0]
    assert sheet.columns == rows.columns
    assert sheet.select("id", "rank", "decision").equals(rows.select("id", "rank", "decision"))
    assert outs["ris"].read_text(encoding="utf-8").count("ER  -") == 600
    monkeypatch.setattr(sharded, "MOST_ROWS", 599)
    refused(run("rank", source, *OPTIONS, *SMALL, "-o", outs["xlsx"]), "more documents than the 599 rows")


def test_a_report_of_some_says_so(run: Run, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpt, "MOST", 100)
    page, again, model = tmp_path / "a.html", tmp_path / "b.html", tmp_path / "m.keysift"
    out = tmp_path / "out.csv"
    said = ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "--report", page, "-o", out, "--model-out", model))
    assert f"Wrote the report to {page}" in said
    ok(run("score", model, source, *SMALL, *ALONE, "--report", again, "-o", out))
    ranked = pl.read_csv(out)
    positive = f">{ranked['decision'].sum():,}<"
    for text in (path.read_text(encoding="utf-8") for path in (page, again)):
        assert "This page shows 184 of 600 documents: the best 100 and those of every 6th rank." in text
        assert ">600<" in text
        assert positive in text
        assert str(ranked["id"][0]) in text


def test_other_columns_in_one_file_of_a_pattern(run: Run, tmp_path: Path) -> None:
    made_documents(30).write_csv(tmp_path / "a.csv")
    made_documents(30).rename({"text": "body"}).write_csv(tmp_path / "b.csv")
    result = run("rank", f"{tmp_path}/*.csv", *OPTIONS, "-o", tmp_path / "out.jsonl")
    refused(result, f"{tmp_path}/b.csv has other columns than {tmp_path}/a.csv")


def test_a_full_disk(run: Run, source: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48k", "none", small], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("only root may make a small file system")
    try:
        result = run("rank", source, *OPTIONS, *SMALL, *ALONE, "--work", small / "work", "-o", tmp_path / "out.csv")
        refused(result, "No space left on device", "the disk of the work folder is full", "--work")
    finally:
        subprocess.run(["umount", small], check=True)
    assert not (tmp_path / "out.csv").exists()


def test_keywords_are_counted_in_all_documents(run: Run, source: Path, tmp_path: Path) -> None:
    result = run("keywords", source, *OPTIONS, *SMALL, *ALONE, "-o", tmp_path / "sampled.csv")
    assert result.exit_code == 0, result.output
    assert run("keywords", source, *OPTIONS, "--id", "key", "-o", tmp_path / "all.csv").exit_code == 0
    ours, theirs = (pl.read_csv(tmp_path / f"{name}.csv") for name in ("sampled", "all"))
    assert ours.select("keyword", "documents").equals(theirs.select("keyword", "documents"))
    assert ours["alone"].to_numpy() == pytest.approx(theirs["alone"].to_numpy(), rel=0.2)


def workers_of(pid: int) -> list[int]:
    """The processes that a command started to work for it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


@pytest.mark.skipif(not Path("/proc/self/task").exists() or os.cpu_count() == 1, reason="needs /proc and two cores")
@pytest.mark.long
def test_a_worker_killed_in_each_pass_changes_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, work = write_documents(tmp_path / "in.csv", 3_000), tmp_path / "work"
    monkeypatch.setattr(scan, "SHARD_BYTES", 6_000)
    ok(run("rank", source, *OPTIONS, *SMALL, *ALONE, "-o", tmp_path / "whole.csv"))
    code = "from keysift.corpus import scan; scan.SHARD_BYTES = 6_000; from keysift.cli import main; main()"
    arguments = ["rank", source, *OPTIONS, *SMALL, "--work", work, "-o", tmp_path / "out.csv"]
    killed = 0
    with subprocess.Popen([COMMAND[0], "-c", code, *map(str, arguments)], stderr=subprocess.PIPE) as process:
        for passed in ("survey", "scored"):
            while not list((work / "shards").glob(f"{passed}-*.json")) and process.poll() is None:
                time.sleep(0.005)
            for worker in workers_of(process.pid)[:1]:
                os.kill(worker, signal.SIGKILL)
                killed += 1
        _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert killed == 2
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_column_of_vectors_is_scored_shard_by_shard(run: Run, tmp_path: Path) -> None:
    documents = made_documents(300)
    vectors = [[float(sports), float(len(text)), 1.0] for _, text, sports in documents.iter_rows()]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    documents.with_columns(v=pl.Series(vectors)).write_ndjson(source)
    options = ["-k", "hockey, baseball", "--rounds", "0", "--vector-column", "v", "--id", "key", "--language", "en"]
    ok(run("rank", source, *options, "--sample", 100, *ALONE, "-o", out))
    ranked = pl.read_parquet(out)
    assert len(ranked) == 300
    best = ranked.head(20)
    assert best["sports"].all()
    assert best["evidence"].str.contains("sentence vector", literal=True).any()


def test_up_to_the_sample_nothing_changes(run: Run, source: Path, tmp_path: Path) -> None:
    ok(run("rank", source, *OPTIONS, "--id", "key", "-o", tmp_path / "memory.csv"))
    said = ok(run("rank", source, *OPTIONS, "--id", "key", "--sample", 600, "-o", tmp_path / "same.csv"))
    assert "Counting" not in said
    assert (tmp_path / "same.csv").read_bytes() == (tmp_path / "memory.csv").read_bytes()
    assert "Counting" in ok(run("rank", source, *OPTIONS, "--sample", 599, *ALONE, "-o", tmp_path / "other.csv"))
