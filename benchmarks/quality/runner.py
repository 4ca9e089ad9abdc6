"""Measure the rankings: python -m benchmarks.quality --help.

Every result is a line in a file; what is there is not run again, so a run may be stopped at any time. Several runners
may share a file.
"""

import argparse
import sys
import warnings
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from benchmarks.paper import results
from benchmarks.paper.progress import Progress
from benchmarks.paper.results import Key
from benchmarks.quality.shared import timed
from benchmarks.quality.systems import SYSTEMS, trials
from benchmarks.quality.tasks import FAMILIES, TASKS, corpus, problem
from keysift.errors import KeysiftError, KeysiftWarning
from keysift.metrics import precision_at_k

__all__ = ["RESULTS", "main", "plan", "run", "run_one"]

RESULTS = Path(__file__).with_name("results.jsonl")


def plan(tasks: Sequence[str], systems: Sequence[str], number: int | None = None) -> list[Key]:
    """What to run: by corpus, trial and system, so that what is computed from the documents can be shared.

    >>> plan(["ayi", "ayi/0"], ["bm25"], number=2)
    [('ayi', 'bm25', 0), ('ayi/0', 'bm25', 0), ('ayi', 'bm25', 1), ('ayi/0', 'bm25', 1)]
    """
    keys = [
        (name, system, trial)
        for name in tasks
        for system in systems
        for trial in range(number or trials(system, TASKS[name]))
    ]
    corpora = list(dict.fromkeys(TASKS[name].corpus for name in tasks))
    return sorted(keys, key=lambda key: (corpora.index(TASKS[key[0]].corpus), key[2], systems.index(key[1])))


def run(keys: Sequence[Key], path: Path) -> int:
    """Run what is not yet in the file; returns how many failed."""
    failed = 0
    with Progress(keys, results.read(path), jobs=1) as progress:
        for key in keys:
            if key in results.read(path):  # another runner may have done it by now
                continue
            try:
                line = run_one(*key)
            except Exception as error:  # one that fails must not stop the others
                failed += 1
                progress.failed(key, error)
            else:
                results.append(path, line)
                progress.finished(line)
    return failed


def run_one(name: str, system: str, trial: int) -> dict[str, Any]:
    """One system on one trial of a task: its line of the results, with the measures in percent points."""
    from sklearn.metrics import roc_auc_score

    given = problem(TASKS[name], trial)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)  # a keyword may be missing from one of the trials
        outcome, seconds = timed(lambda: SYSTEMS[system](given))
    scores, more = outcome if isinstance(outcome, tuple) else (outcome, {})
    return {
        "set": name,
        "system": system,
        "trial": trial,
        "auc": round(100 * float(roc_auc_score(given.test_labels, scores)), 4),
        "prec100": round(100 * precision_at_k(given.test_labels, scores, 100), 4),
        "seconds": round(seconds, 4),
        **more,
    }


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--family", default=",".join(FAMILIES), help="comma-separated; default: %(default)s")
    parser.add_argument("--tasks", help="comma-separated names of tasks, instead of families")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="comma-separated; default: %(default)s")
    parser.add_argument("--trials", type=int, help="default: 20 of the five, 3 of the others, fewer of slow systems")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parsed = parser.parse_args(arguments)
    families = _known(parser, "--family", parsed.family, FAMILIES)
    parsed.systems = _known(parser, "--systems", parsed.systems, SYSTEMS)
    if parsed.tasks is None:
        parsed.tasks = [task.name for task in TASKS.values() if task.family in families]
    else:
        parsed.tasks = _known(parser, "--tasks", parsed.tasks, TASKS)
    if parsed.trials is not None and parsed.trials < 1:
        parser.error(f"--trials must be 1 or more; got {parsed.trials}.")
    return parsed


def _known(parser: argparse.ArgumentParser, option: str, given: str, known: Collection[str]) -> list[str]:
    names = [name.strip() for name in given.split(",") if name.strip()]
    for name in names:
        if name not in known:
            parser.error(f"{option} must be some of {', '.join(known)}; got {name!r}.")
    return names


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 1 where something failed, 2 where the data are missing."""
    options = _arguments(arguments)
    try:
        for name in dict.fromkeys(TASKS[task].corpus for task in options.tasks):
            corpus(name)  # to complain before the long work
    except KeysiftError as error:
        print(error, file=sys.stderr)
        return 2
    if results.mend(options.results):
        print(f"The last line of {options.results} was broken, so it is dropped and runs again.")
    return 1 if run(plan(options.tasks, options.systems, options.trials), options.results) else 0
