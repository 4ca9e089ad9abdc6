"""Run the paper's experiments: python -m benchmarks.paper.runner --help.

Every result is a line in a file; what is there is not run again, so a run may be stopped at any time. Several runners
may share a file.
"""

import argparse
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.paper import results
from benchmarks.paper.datasets import SETS, Documents, find_data
from benchmarks.paper.measures import measure
from benchmarks.paper.progress import Progress
from benchmarks.paper.results import RESULTS, Key
from benchmarks.paper.systems import NETWORKS, SYSTEMS
from benchmarks.paper.trial import Trial, make_trial
from benchmarks.worker import WORKER
from keysift.errors import InputError, KeysiftError, KeysiftWarning

__all__ = ["main", "plan", "run"]

TRIALS = 20
QUICK_TRIALS = 3


def plan(sets: Sequence[str], systems: Sequence[str], trials: int | None = None, quick: bool = False) -> list[Key]:
    """What to run, in this order: what is cheap first, then the networks set by set, trial by trial.

    >>> plan(["ayi"], ["NB", "Sigmoid", "KNN"], trials=1)
    [('ayi', 'NB', 0), ('ayi', 'KNN', 0), ('ayi', 'Sigmoid', 0)]
    """
    tasks: list[Key] = []
    for networks in (False, True):
        chosen = [system for system in systems if (system in NETWORKS) == networks]
        for name in sets:
            count = _trials(name, networks, trials, quick)
            tasks += [(name, system, number) for number in range(count) for system in chosen]
    return tasks


def _trials(name: str, networks: bool, trials: int | None, quick: bool) -> int:
    if networks and name == "20ng" and quick:
        return 0
    return trials or (QUICK_TRIALS if quick else TRIALS)


def run(tasks: Sequence[Key], path: Path, folder: Path, jobs: int) -> int:
    """Run what is not yet in the file; returns how many tasks failed."""
    failed = 0
    with Progress(tasks, results.read(path), jobs) as progress:
        waiting = _missing(tasks, path)
        pool = _pool(jobs)
        running: dict[Future[dict[str, Any]], Key] = {}
        while True:
            while len(running) < jobs and (task := next(waiting, None)) is not None:
                running[pool.submit(run_one, folder, *task)] = task
            if not running:
                break
            done, _ = wait(running, timeout=progress.PERIOD, return_when=FIRST_COMPLETED)
            progress.tick()
            for future in done:
                task = running.pop(future)
                try:
                    line = future.result()
                except BrokenProcessPool:
                    failed += _lost(progress, [task, *running.values()])
                    running.clear()
                    pool = _pool(jobs)
                    break
                except Exception as error:  # one task that fails must not stop the others
                    failed += 1
                    progress.failed(task, error)
                else:
                    results.append(path, line)
                    progress.finished(line)
        pool.shutdown()
    return failed


def _missing(tasks: Sequence[Key], path: Path) -> Iterator[Key]:
    """The tasks that are not in the file when their turn comes: another runner may have done them by then."""
    for task in tasks:
        if task not in results.read(path):
            yield task


def _lost(progress: Progress, tasks: Sequence[Key]) -> int:
    for task in tasks:
        progress.failed(task, RuntimeError("a worker process died, perhaps for want of memory"))
    return len(tasks)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # One thread for each worker: libraries read this when a worker loads them, and workers inherit it.
    os.environ.update(WORKER)
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))


def run_one(folder: Path, name: str, system: str, number: int) -> dict[str, Any]:
    """One system on one trial, in a worker."""
    warnings.simplefilter("ignore", KeysiftWarning)  # a keyword may be missing from one of the trials
    start = time.perf_counter()
    trial = _trial(folder, name, number)
    outcome = SYSTEMS[system](trial)
    line = {"set": name, "system": system, "trial": number, **measure(trial, outcome)}
    return {**line, "wall_seconds": round(time.perf_counter() - start, 2)}


@lru_cache(maxsize=1)
def _documents(folder: Path, name: str) -> Documents:
    return SETS[name].read(folder)


@lru_cache(maxsize=1)
def _trial(folder: Path, name: str, number: int) -> Trial:
    return make_trial(SETS[name], _documents(folder, name), number)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper.runner", description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated; default: %(default)s")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="comma-separated; default: %(default)s")
    parser.add_argument("--trials", type=int, help="default: 20")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers; default: all %(default)s cores")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--quick", action="store_true", help="three trials, no networks on 20ng")
    parsed = parser.parse_args(arguments)
    parsed.sets = _known(parser, "--sets", parsed.sets, SETS)
    parsed.systems = _known(parser, "--systems", parsed.systems, SYSTEMS)
    for option in ("trials", "jobs"):
        value = getattr(parsed, option)
        if value is not None and value < 1:
            parser.error(f"--{option} must be 1 or more; got {value}.")
    return parsed


def _known(parser: argparse.ArgumentParser, option: str, given: str, known: dict[str, Any]) -> list[str]:
    names = [name.strip() for name in given.split(",") if name.strip()]
    for name in names:
        if name not in known:
            parser.error(f"{option} must be some of {', '.join(known)}; got {name!r}.")
    return names


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 1 where a task failed, 2 where the data are missing."""
    options = _arguments(arguments)
    try:
        folder = find_data(download=True)
        if folder is None:
            raise InputError("The data sets are not there; put them into a folder and name it in KEYSIFT_DATA.")
        for name in options.sets:
            SETS[name].read(folder)  # to complain before the long work
    except KeysiftError as error:
        print(error, file=sys.stderr)
        return 2
    if results.mend(options.results):
        print(f"The last line of {options.results} was broken, so it is dropped and its task runs again.")
    tasks = plan(options.sets, options.systems, options.trials, options.quick)
    return 1 if run(tasks, options.results, folder, options.jobs) else 0


if __name__ == "__main__":
    sys.exit(main())
