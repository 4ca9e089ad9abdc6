"""The file of results: a JSON line for each task and system, and means over them.

A mean over tasks is a mean over corpora, each with the mean of its tasks, unless it says otherwise.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["RESULTS", "Key", "Lines", "mean", "mean_of_tasks", "measured", "read"]

RESULTS = Path(__file__).with_name("results.jsonl")

Key = tuple[str, str]
"""Task and system."""
Lines = Mapping[Key, Mapping[str, Any]]


def read(path: Path) -> dict[Key, dict[str, Any]]:
    """All results; of several for the same, the last. A line that is not whole is skipped."""
    found: dict[Key, dict[str, Any]] = {}
    for text in path.read_text(encoding="utf-8").split("\n") if path.is_file() else ():
        try:
            line = json.loads(text)
            found[str(line["task"]), str(line["system"])] = dict(line)
        except (ValueError, KeyError, TypeError):
            continue
    return found


def measured(lines: Lines, **wanted: str) -> dict[str, Mapping[str, Any]]:
    """A line of every task with these fields, whatever system it is of.

    >>> list(measured({("a", "x"): {"family": "suite"}, ("b", "x"): {"family": "five"}}, family="suite"))
    ['a']
    """
    return {
        task: line for (task, _), line in lines.items() if all(line[name] == value for name, value in wanted.items())
    }


def mean(lines: Lines, system: str, tasks: Iterable[str], field: str = "auc") -> float:
    """Mean over the tasks of each corpus, then over the corpora; not a number where there are none.

    >>> values = {("a", "s"): {"corpus": "x", "auc": 60}, ("b", "s"): {"corpus": "x", "auc": 70},
    ...           ("c", "s"): {"corpus": "y", "auc": 85}}
    >>> mean(values, "s", "abc"), mean_of_tasks(values, "s", "ac"), mean(values, "other", "abc")
    (75.0, 72.5, nan)
    """
    corpora: dict[str, list[float]] = {}
    for task in tasks:
        if (task, system) in lines:
            line = lines[task, system]
            corpora.setdefault(line["corpus"], []).append(line[field])
    return float(np.mean([np.mean(values) for values in corpora.values()])) if corpora else float("nan")


def mean_of_tasks(lines: Lines, system: str, tasks: Iterable[str], field: str = "auc") -> float:
    """Mean over the tasks, each with the same weight."""
    values = [lines[task, system][field] for task in tasks if (task, system) in lines]
    return float(np.mean(values)) if values else float("nan")
