"""Means over the results: of trials first, then of tasks."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from benchmarks.paper.results import Key
from benchmarks.quality.tasks import TASKS

__all__ = ["Lines", "first_trials", "mean", "trial_count"]

Lines = Mapping[Key, Mapping[str, Any]]
"""Results by task, system and trial."""

FIRST = {"five": 2}
"""Trials that every variant has, where it is more than one."""


def mean(lines: Lines, system: str, tasks: Iterable[str], field: str = "auc") -> float:
    """Mean over the trials of each task, then over the tasks; not a number where a task has none.

    >>> mean({("ayi", "bm25", 0): {"auc": 60}, ("ayi", "bm25", 1): {"auc": 62}, ("subj", "bm25", 0): {"auc": 65}},
    ...      "bm25", ["ayi", "subj"])
    63.0
    """
    values = []
    for task in tasks:
        found = [line[field] for (of, by, _), line in lines.items() if (of, by) == (task, system)]
        values.append(float(np.mean(found)) if found else float("nan"))
    return float(np.mean(values)) if values else float("nan")


def trial_count(lines: Lines, system: str, task: str) -> int:
    """How many trials there are."""
    return sum((of, by) == (task, system) for of, by, _ in lines)


def first_trials(lines: Lines) -> Lines:
    """Trials that every variant has, so that all are compared on the same: two of the five sets, one of the rest."""
    return {key: line for key, line in lines.items() if key[2] < FIRST.get(TASKS[key[0]].family, 1)}
