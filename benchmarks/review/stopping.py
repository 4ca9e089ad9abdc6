"""When to stop, on finished reviews: python -m benchmarks.review.stopping.

Each screening, e-discovery and abuse task of the suite is read once in the order of a simulated review that learns. On
that order stop rules are tried, the one with a guarantee with 1,000 random samples. Every task is a line in a file;
what is there is not run again.
"""

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper import results
from benchmarks.suite.runner import version
from benchmarks.suite.tasks import SuiteTask, list_tasks, read_task
from keysift.errors import KeysiftWarning
from keysift.review.heuristics import Heuristic, InARow, Knee, Share
from keysift.review.recall import RecallCurve
from keysift.review.simulation import simulate
from keysift.review.stopped import stop_by_check, stop_by_heuristic
from keysift.review.stopping import TARGET

__all__ = ["KINDS", "RESULTS", "RUNS", "main", "measure", "read", "stops"]

RESULTS = Path(__file__).with_name("results-stopping.jsonl")
KINDS = ("screening", "ediscovery", "abuse")
RUNS = 1000
HEURISTICS: dict[str, Heuristic] = {"200 in a row": InARow(), "knee": Knee(), "half": Share()}


def measure(task: SuiteTask, runs: int = RUNS) -> dict[str, Any]:
    """The line of a task."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)
        order = simulate(list(task.texts), task.relevant, list(task.keywords)).read
    return {"task": task.name, "kind": task.kind, **stops(task.relevant[order], runs), "version": version()}


def stops(relevant: NDArray[np.bool_], runs: int = RUNS) -> dict[str, Any]:
    """How often the guarantee held, what was read, and what rules of thumb read and found; labels in reading order."""
    checked = [stop_by_check(relevant, np.random.default_rng(run)) for run in range(runs)]
    read, recall = (np.array([getattr(one, name) for one in checked]) for name in ("read", "recall"))
    thumb = {name: stop_by_heuristic(relevant, rule) for name, rule in HEURISTICS.items()}
    return {
        "documents": len(relevant),
        "relevant": int(relevant.sum()),
        "oracle": RecallCurve.of(relevant).read_for(TARGET),
        "runs": runs,
        "held": round(float((recall >= TARGET - 1e-9).mean()), 4),
        "read": round(float(read.mean()), 1),
        "read_from_to": [int(value) for value in np.quantile(read, [0.05, 0.95])],
        "recall": round(float(recall.mean()), 4),
        "heuristics": {name: {"read": one.read, "recall": round(one.recall, 4)} for name, one in thumb.items()},
    }


def read(path: Path = RESULTS) -> dict[str, dict[str, Any]]:
    """The lines by task; of several for the same, the last. A line that is not whole is skipped."""
    found: dict[str, dict[str, Any]] = {}
    for text in path.read_text(encoding="utf-8").split("\n") if path.is_file() else ():
        try:
            line = json.loads(text)
            found[str(line["task"])] = dict(line)
        except (ValueError, KeyError, TypeError):
            continue
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is not there yet; 130 where stopped."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review.stopping", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="random samples a task; default: %(default)s")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args(arguments)
    tasks, skipped = list_tasks()
    for sentence in skipped:
        print(sentence, file=sys.stderr)
    results.mend(options.results)
    try:
        for name, listed in tasks.items():
            if listed.kind not in KINDS or name in read(options.results):
                continue
            line = measure(read_task(listed), options.runs)
            results.append(options.results, line)
            told = f"held in {100 * line['held']:.1f} %, {line['read']:,.0f} read, oracle {line['oracle']:,}"
            print(f"{name}: {told}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("Stopped. What is measured stays; the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
