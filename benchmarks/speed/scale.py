"""Figures on scale: python -m benchmarks.speed.scale; each is appended as it comes, and is run once."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from benchmarks.paper.datasets import find_data
from benchmarks.speed.measured_run import KEYSIFT, measured_run
from benchmarks.speed.scale_corpus import labelled_sentences, many_sentences, write_repeated
from benchmarks.speed.sharded_pairs import sharded_pairs
from benchmarks.suite.tasks import find_suite
from keysift.metrics import auc_between

__all__ = ["main"]

RESULTS = Path(__file__).parent / "results-scale.jsonl"
KEYWORDS = "luggage, bag, baggage, lost"
SIZES = (10_000, 100_000, 1_000_000, 5_000_000)
MILLION, MEMORY = 1_000_000, ("1GB", "2GB")
"""What --memory is tried with."""
TASKS = {
    "luggage": ("airline_tweets", r"Lost Luggage", KEYWORDS),
    "donations": ("crisislex_t26", r"Donations", "donate, donation, volunteer, relief, help"),
    "clickbait": ("clickbait", r"^clickbait$", "reasons, things, quiz, amazing, hilarious"),
    "late flights": ("airline_tweets", r"Late Flight|Cancelled", "late, delayed, delay, cancelled"),
}
"""Set, labels and keywords; all other sentences of all sets are irrelevant."""
SAMPLE = 30_000
MANY, USUAL = 300_000, 100_000
"""So many sentences with those of longer texts, and how many of them --sample takes where nobody says."""
STAGE = re.compile(r"^(.+) … ([\d.]+) s$", re.MULTILINE)


def main() -> None:
    """Run what is missing; with names, only those figures."""
    if find_suite() is None or find_data() is None:
        sys.exit(
            "skipped: the sentences are those of the suite and the data sets; name KEYSIFT_SUITE and KEYSIFT_DATA."
        )
    done = {json.dumps(line["key"]) for line in _lines()}
    wanted = set(sys.argv[1:])
    for key, run in _figures():
        if json.dumps(key) in done or (wanted and key[0] not in wanted):
            continue
        line = {"key": key, **run()}
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


def _lines() -> list[dict[str, Any]]:
    if not RESULTS.exists():
        return []
    return [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]


def _figures() -> Iterator[tuple[list[Any], Callable[[], dict[str, Any]]]]:
    for size in SIZES:
        yield ["rank", size], partial(_rank, size)
    for memory in MEMORY:
        yield ["memory", memory], partial(_rank, MILLION, "--memory", memory)
    for task in TASKS:
        yield ["auc", task], partial(_auc, task)
    for task in TASKS:
        yield ["auc of many", task], partial(_auc, task, many=True)
    yield ["pairs"], sharded_pairs


def _sentences(many: bool = False) -> pl.DataFrame:
    suite, data = find_suite(), find_data()
    assert suite is not None
    assert data is not None
    return many_sentences(suite, data, MANY) if many else labelled_sentences(suite, data)


def _rank(size: int, *options: str) -> dict[str, Any]:
    """`keysift rank` without encoder, from start to written .csv."""
    with TemporaryDirectory() as folder:
        source, target, work = Path(folder) / "in.csv", Path(folder) / "out.csv", Path(folder) / "work"
        write_repeated(_sentences(), size, source)
        command = [*KEYSIFT, "rank", str(source), "-k", KEYWORDS, "--encoder", "none", "-o", str(target)]
        run = measured_run([*command, *options, "--work", str(work)])
        notes = [json.loads(path.read_text()) for path in (work / "shards").glob("*.parquet.json")]
        names = [path.name.partition("-")[0] for path in (work / "shards").glob("*.parquet.json")]
        passes = {
            name: sum(note["info"].get("seconds", 0.0) for note, own in zip(notes, names, strict=True) if own == name)
            for name in ("survey", "scored")
        }
        return {
            "documents": size,
            "bytes": source.stat().st_size,
            "seconds": run.seconds,
            "processor_seconds": run.processor_seconds,
            "peak_mb": run.peak,
            "stages": {name: float(seconds) for name, seconds in STAGE.findall(run.said)},
            "processor_seconds_of": passes,
        }


def _auc(task: str, many: bool = False) -> dict[str, Any]:
    """Learned from all sentences, and from a sample of them; both rank all."""
    name, labels, keywords = TASKS[task]
    sentences, size = _sentences(many).with_row_index("id"), USUAL if many else SAMPLE
    relevant = sentences.filter((pl.col("set") == name) & pl.col("label").str.contains(labels))["id"]
    measured: dict[str, Any] = {"documents": sentences.height, "relevant": len(relevant), "sample": size}
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.csv", Path(folder) / "out.parquet"
        sentences.select("id", "text").write_csv(source)
        for kind, sample in (("all", 10 * sentences.height), ("sampled", size)):
            command = [*KEYSIFT, "rank", str(source), "-k", keywords, "--encoder", "none", "-o", str(target), "-q"]
            run = measured_run([*command, "--sample", str(sample)])
            ranked = pl.read_parquet(target, columns=["id", "score"]).with_columns(pl.col("id").cast(pl.Int64))
            held = ranked["id"].is_in(relevant.cast(pl.Int64).implode())
            scores = ranked["score"].to_numpy()
            measured[kind] = 100 * auc_between(scores[held.to_numpy()], scores[~held.to_numpy()])
            measured[f"{kind}_peak_mb"], measured[f"{kind}_seconds"] = run.peak, run.processor_seconds
    return measured


if __name__ == "__main__":
    main()
