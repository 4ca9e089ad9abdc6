"""Run systems on the tasks of the suite and of the older families: python -m benchmarks.suite --help.

Every result is a line in a file; what is there is not run again, so a run may be stopped at any time. Several runners
may share a file. Tasks of one corpus follow each other and share what is computed from its documents; a line's seconds
leave out what was shared.
"""

import argparse
import subprocess
import sys
import time
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import keysift
from benchmarks.paper import results
from benchmarks.paper.datasets import ROOT
from benchmarks.paper.progress import spoken
from benchmarks.suite.lines import RESULTS, Key, read
from benchmarks.suite.ours import DEFAULT
from benchmarks.suite.outcome import Outcome
from benchmarks.suite.systems import SYSTEMS
from benchmarks.suite.tasks import FAMILIES, Listed, SuiteTask, list_tasks, read_task
from benchmarks.suite.yardstick import distinct_keywords
from keysift.errors import KeysiftError, KeysiftWarning
from keysift.files.atomic import written_whole

__all__ = ["Plan", "at_true_share", "main", "run", "run_one", "scores_file", "version"]


@dataclass(frozen=True)
class Plan:
    """What to run and where it goes."""

    tasks: Mapping[str, Listed]
    systems: Sequence[str]
    results: Path
    scores: Path | None = None
    """A folder for the scores of every document."""
    again: bool = False
    """Whether what another version measured runs again."""

    @property
    def keys(self) -> list[Key]:
        """By corpus and system, so that tasks of one corpus can share."""
        corpora = list(dict.fromkeys(task.corpus for task in self.tasks.values()))
        keys = [(name, system) for name in self.tasks for system in self.systems]
        return sorted(keys, key=lambda key: (corpora.index(self.tasks[key[0]].corpus), self.systems.index(key[1])))

    def is_done(self, key: Key, there: Mapping[Key, Mapping[str, Any]]) -> bool:
        """Whether its line is there, and its scores, where they are asked for."""
        if key not in there or (self.again and there[key].get("version") != version()):
            return False
        return self.scores is None or scores_file(self.scores, *key).is_file()


class Progress:
    """A line on stderr for each result, with the time left by the mean of the same system."""

    def __init__(self, keys: Sequence[Key], there: Mapping[Key, Mapping[str, Any]], left: Collection[Key]) -> None:
        self._total, self._left = len(keys), set(left)
        self._seconds: dict[str, list[float]] = {}
        for (_, system), line in there.items():
            self._seconds.setdefault(system, []).append(float(line.get("seconds", 0.0)))
        print(f"{self._total} results, {self._total - len(left)} of them done before.", file=sys.stderr, flush=True)

    def finished(self, key: Key, what: str, seconds: float | None = None) -> None:
        """A result is there, or another runner has it, or it failed."""
        self._left.discard(key)
        if seconds is not None:
            self._seconds.setdefault(key[1], []).append(seconds)
        done = self._total - len(self._left)
        print(f"{done}/{self._total} {key[0]}, {key[1]}: {what}; {self.left()}", file=sys.stderr, flush=True)

    def left(self) -> str:
        """The time left."""
        if not self._left:
            return "done"
        every = [second for seconds in self._seconds.values() for second in seconds]
        if not every:
            return "time left not known yet"
        expected = [np.mean(self._seconds.get(system, every)) for _, system in self._left]
        return f"about {spoken(float(np.sum(expected)))} left"


def run(plan: Plan) -> int:
    """Run what is not yet there; returns how many failed."""
    keys, there, failed = plan.keys, read(plan.results), 0
    progress = Progress(keys, there, [key for key in keys if not plan.is_done(key, there)])
    for key in keys:
        if plan.is_done(key, read(plan.results)):  # another runner may have done it by now
            continue
        try:
            task = read_task(plan.tasks[key[0]])
            line, outcome = run_one(task, key[1])
            if plan.scores is not None:
                write_scores(scores_file(plan.scores, *key), task, outcome)
        except Exception as error:  # one that fails must not stop the others
            failed += 1
            first = str(error).splitlines()[0] if str(error) else ""
            progress.finished(key, f"failed: {type(error).__name__}: {first}")
        else:
            results.append(plan.results, line)
            progress.finished(
                key, f"AUC {line['auc']:.1f}, AP {line['ap']:.1f}, {line['seconds']:.1f} s", line["seconds"]
            )
    return failed


def run_one(task: SuiteTask, system: str) -> tuple[dict[str, Any], Outcome]:
    """One system on one task: its line of the results, with the measures in percent points, and all scores."""
    from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)  # some keywords are poor on purpose
        outcome = SYSTEMS[system](task)
    seconds = time.perf_counter() - start
    relevant, scores = task.relevant, outcome.scores
    line = {
        "task": task.name,
        "corpus": task.corpus,
        "family": task.family,
        "kind": task.kind,
        "language": task.language,
        "documents": len(task.texts),
        "positives": int(relevant.sum()),
        "length": task.length,
        "system": system,
        "auc": _points(roc_auc_score(relevant, scores)),
        "ap": _points(average_precision_score(relevant, scores)),
        "seconds": round(seconds, 3),
        "f1_true_share": _points(f1_score(relevant, at_true_share(scores, relevant), average="macro")),
        "version": version(),
        **outcome.facts,
    }
    return line, outcome


def at_true_share(scores: NDArray[np.float64], relevant: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The highest scores, as many as there are relevant documents; of equal scores, the first.

    >>> at_true_share(np.array([0.1, 0.9, 0.5]), np.array([False, False, True])).tolist()
    [False, True, False]
    """
    chosen = np.full(len(scores), False)
    chosen[np.argsort(-scores, kind="stable")[: int(relevant.sum())]] = True
    return chosen


def scores_file(folder: Path, task: str, system: str) -> Path:
    """Where the scores of a task go; those of other systems than keysift into a folder of their name.

    >>> scores_file(Path("scores"), "20ng/0", "keysift").as_posix()
    'scores/20ng_0.npz'
    >>> scores_file(Path("scores"), "ayi", "counting").as_posix()
    'scores/counting/ayi.npz'
    """
    home = folder if system == DEFAULT else folder / system
    return home / f"{task.replace('/', '_')}.npz"


def write_scores(path: Path, task: SuiteTask, outcome: Outcome) -> None:
    """The scores of all documents, with what is needed to study decisions without learning again."""
    keywords, weights = outcome.keywords, outcome.weights
    if keywords is None:
        keywords = distinct_keywords(task.texts, task.keywords, task.spaced)
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as part, part.open("wb") as file:
        np.savez(
            file,
            scores=outcome.scores,
            labels=task.relevant,
            keywords=keywords,
            weights=keywords if weights is None else weights,
            family=np.array(task.family),
            corpus=np.array(task.corpus),
        )


@cache
def version() -> str:
    """The version of keysift, and the last commit of its source where there is one."""
    try:
        commit = _git("log", "-1", "--format=%h", "--", "src")
        changed = "+changes" if _git("status", "--porcelain", "--", "src") else ""
    except (OSError, subprocess.CalledProcessError):
        return keysift.__version__
    return f"{keysift.__version__} {commit}{changed}" if commit else keysift.__version__


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _points(value: float) -> float:
    return round(100 * float(value), 4)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suite", description=__doc__)
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="comma-separated; default: %(default)s")
    parser.add_argument("--tasks", default="", help="comma-separated names of tasks, corpora or families; default: all")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--scores", type=Path, help="a folder for the scores of every document, TASK.npz")
    parser.add_argument("--again", action="store_true", help="run again what another version of keysift measured")
    parsed = parser.parse_args(arguments)
    parsed.systems = _names(parsed.systems)
    for name in parsed.systems:
        if name not in SYSTEMS:
            parser.error(f"--systems must be some of {', '.join(SYSTEMS)}; got {name!r}.")
    return parsed


def _names(given: str) -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()]


def _chosen(tasks: Mapping[str, Listed], names: Sequence[str]) -> dict[str, Listed]:
    """Those with a name, a corpus or a family among the names; all where there are none."""
    asked = set(names)
    unknown = asked - set(tasks) - {task.corpus for task in tasks.values()} - set(FAMILIES.values())
    if unknown:
        raise KeysiftError(
            f"--tasks must be some of {', '.join(tasks)}, or corpora or families of them; got {sorted(unknown)[0]!r}."
        )
    return {name: task for name, task in tasks.items() if not asked or asked & {name, task.corpus, task.family}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 1 where something failed, 2 where a name is wrong, 130 where stopped."""
    options = _arguments(arguments)
    try:
        tasks, skipped = list_tasks()
        for sentence in skipped:
            print(sentence, file=sys.stderr)
        chosen = _chosen(tasks, _names(options.tasks)) if tasks else {}
    except KeysiftError as error:
        print(error, file=sys.stderr)
        return 2
    if not chosen:
        return 0
    if results.mend(options.results):
        print(f"The last line of {options.results} was broken, so it is dropped and runs again.", file=sys.stderr)
    try:
        return 1 if run(Plan(chosen, options.systems, options.results, options.scores, options.again)) else 0
    except KeyboardInterrupt:
        print("Stopped. What is measured stays; the same command goes on from here.", file=sys.stderr)
        return 130
