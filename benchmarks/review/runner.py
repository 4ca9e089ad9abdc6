"""Reviews simulated on the tasks of the suite with few relevant documents: python -m benchmarks.review --help.

Every task and seed is a line in a file; what is there is not run again, so a run may be stopped at any time.
"""

import argparse
import json
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.paper import results
from benchmarks.review.measured import RARE, measure
from benchmarks.suite.runner import version
from benchmarks.suite.tasks import Listed, list_tasks, read_task
from keysift.errors import KeysiftWarning

__all__ = ["RESULTS", "SEEDS", "Key", "chosen_tasks", "main", "read", "run"]

RESULTS = Path(__file__).with_name("results.jsonl")
SEEDS = 5

Key = tuple[str, int]
"""Task and seed."""


def read(path: Path) -> dict[Key, dict[str, Any]]:
    """All results; of several for the same, the last. A line that is not whole is skipped."""
    found: dict[Key, dict[str, Any]] = {}
    for text in path.read_text(encoding="utf-8").split("\n") if path.is_file() else ():
        try:
            line = json.loads(text)
            found[str(line["task"]), int(line["seed"])] = dict(line)
        except (ValueError, KeyError, TypeError):
            continue
    return found


def run(tasks: Mapping[str, Listed], seeds: int, path: Path) -> None:
    """Run what is not yet there, seed by seed, so that a run that is stopped has something of every task."""
    for seed in range(seeds):
        for name, listed in tasks.items():
            if (name, seed) in read(path):
                continue
            task = read_task(listed)
            if task.relevant.mean() >= RARE:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", KeysiftWarning)
                line = {**measure(task, seed), "version": version()}
            results.append(path, line)
            told = f"loss {line['loss']:.3f}, keyword order {line['keyword_loss']:.3f}"
            print(f"{name}, seed {seed}: {told}", file=sys.stderr, flush=True)


def chosen_tasks(wanted: str) -> dict[str, Listed] | None:
    """The tasks of the suite by names or kinds, comma-separated, or all; None, and a sentence, where one is wrong."""
    tasks, skipped = list_tasks()
    for sentence in skipped:
        print(sentence, file=sys.stderr)
    suite = {name: task for name, task in tasks.items() if task.family == "suite"}
    asked = {name.strip() for name in wanted.split(",") if name.strip()}
    if unknown := asked - set(suite) - {task.kind for task in suite.values()}:
        print(f"--tasks must be some of {', '.join(suite)}, or kinds; got {sorted(unknown)[0]!r}.", file=sys.stderr)
        return None
    return {name: task for name, task in suite.items() if not asked or asked & {name, task.kind}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 2 where a name is wrong, 130 where stopped."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review", description=__doc__)
    parser.add_argument("--tasks", default="", help="comma-separated names or kinds of tasks; default: all")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many; default: %(default)s")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args(arguments)
    chosen = chosen_tasks(options.tasks)
    if chosen is None:
        return 2
    results.mend(options.results)
    try:
        run(chosen, options.seeds, options.results)
    except KeyboardInterrupt:
        print("Stopped. What is measured stays; the same command goes on from here.", file=sys.stderr)
        return 130
    return 0
