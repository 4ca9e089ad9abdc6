"""ASReview on the same records: `asreview simulate` with its default model and the same first two labels.

It is a program of its own and is never imported: install it in an environment of its own and name its command in
KEYSIFT_ASREVIEW, or have it on the PATH. Every task and seed is a line in a file; what is there is not run again.

    python -m benchmarks.review.asreview --help
"""

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.paper import results
from benchmarks.review.given import first_two
from benchmarks.review.measured import RARE
from benchmarks.review.runner import SEEDS, chosen_tasks, read
from benchmarks.suite.tasks import Listed, SuiteTask, read_task
from benchmarks.worker import WORKER
from keysift.review.recall import RecallCurve

__all__ = ["RESULTS", "SKIPPED", "find_asreview", "main", "measure", "reading"]

RESULTS = Path(__file__).with_name("asreview.jsonl")
SKIPPED = (
    "skipped: there is no command asreview on the PATH, and KEYSIFT_ASREVIEW names none; `pip install asreview` in an"
    " environment of its own."
)
PATIENCE = 600.0
"""Seconds after which a run is given up; it learns after every answer, which takes long where many are read."""


def find_asreview() -> str | None:
    """The command, or None."""
    return shutil.which(os.environ.get("KEYSIFT_ASREVIEW") or "asreview")


def reading(command: str, task: SuiteTask, given: Sequence[int], seed: int, patience: float) -> NDArray[np.int64]:
    """The documents in the order in which ASReview reads them, without the given ones, until all is found."""
    with tempfile.TemporaryDirectory() as folder:
        records, project = Path(folder, "records.csv"), Path(folder, "review.asreview")
        columns = {"title": [""] * len(task.texts), "abstract": task.texts, "included": task.relevant.astype(np.int8)}
        pl.DataFrame(columns).write_csv(records)
        call = [command, "simulate", str(records), "--seed", str(seed), "-o", str(project)]
        subprocess.run(
            [*call, "--prior-idx", *map(str, given)],
            check=True,
            capture_output=True,
            timeout=patience,
            env=os.environ | WORKER,
        )
        with zipfile.ZipFile(project) as packed:
            state = packed.extract("results.db", folder)
        with closing(sqlite3.connect(state)) as answers:
            rows = answers.execute(
                "SELECT dataset_row FROM results JOIN record USING (record_id) ORDER BY results.rowid"
            )
            read = [int(row) for (row,) in rows]
    return np.array([document for document in read if document not in given], dtype=np.int64)


def measure(command: str, task: SuiteTask, seed: int, patience: float = PATIENCE) -> dict[str, Any]:
    """The line of a task and a seed; no loss where there was not time enough."""
    given, start = first_two(task.relevant, seed), time.perf_counter()
    line: dict[str, Any] = {"task": task.name, "seed": seed, "given": given, "documents": len(task.relevant)}
    try:
        read = reading(command, task, given, seed, patience)
    except subprocess.TimeoutExpired:
        return {**line, "loss": None, "work_saved": None, "seconds": patience}
    left = np.setdiff1d(np.arange(len(task.relevant)), [*given, *read])  # all irrelevant
    curve = RecallCurve.of(task.relevant[np.concatenate([read, left])])
    found = {"loss": round(curve.loss, 4), "work_saved": round(curve.work_saved(), 4)}
    return {**line, **found, "seconds": round(time.perf_counter() - start, 1)}


def run(command: str, tasks: Mapping[str, Listed], seeds: int, path: Path, patience: float) -> None:
    """Run what is not yet there, seed by seed; a task that once took too long is not tried with another seed."""
    told = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout.split()
    for seed in range(seeds):
        for name, listed in tasks.items():
            there = read(path)
            slow = any(line["loss"] is None for (task, _), line in there.items() if task == name)
            if (name, seed) in there or slow:
                continue
            task = read_task(listed)
            if task.relevant.mean() >= RARE:
                continue
            line = {**measure(command, task, seed, patience), "version": told[-1]}
            results.append(path, line)
            print(f"{name}, seed {seed}: loss {line['loss']}, {line['seconds']:.0f} s", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 0 and a sentence where ASReview is not there, 2 where a name is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review.asreview", description=__doc__)
    parser.add_argument("--tasks", default="", help="comma-separated names or kinds of tasks; default: all")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many; default: %(default)s")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds for one run; default: %(default)s")
    options = parser.parse_args(arguments)
    tasks = chosen_tasks(options.tasks)
    if tasks is None:
        return 2
    command = find_asreview()
    if command is None:
        print(SKIPPED, file=sys.stderr)
        return 0
    results.mend(options.results)
    try:
        run(command, tasks, options.seeds, options.results, options.patience)
    except KeyboardInterrupt:
        print("Stopped. What is measured stays; the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
