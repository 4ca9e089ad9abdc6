"""Means over the results: of trials first, then of tasks."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from benchmarks.paper.results import Key

__all__ = ["Lines", "mean", "trial_count"]

Lines = Mapping[Key, Mapping[str, Any]]
"""Results by task, system and trial."""


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
