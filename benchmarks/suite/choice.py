"""Leave one corpus out: each is judged by the variant that the other corpora choose."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.suite.lines import Key, Lines, mean

__all__ = ["SYSTEM", "Choice", "complete", "leave_one_out", "worth"]

SYSTEM = "leave one corpus out"
"""The system of the lines that a choice gives."""


@dataclass(frozen=True)
class Choice:
    """What the other corpora choose for each corpus, and the lines it has there."""

    chosen: dict[str, str]
    """The variant by the corpus that was left out."""
    lines: dict[Key, dict[str, Any]]
    """The line of the chosen variant for every task, as those of the system `SYSTEM`."""

    def families(self, field: str = "auc") -> dict[str, float]:
        """The mean of each family, every corpus with the same weight."""
        tasks: dict[str, list[str]] = {}
        for (task, _), line in self.lines.items():
            tasks.setdefault(line["family"], []).append(task)
        return {family: mean(self.lines, SYSTEM, names, field) for family, names in tasks.items()}


def complete(lines: Lines, systems: Iterable[str], default: str) -> list[str]:
    """The systems that have every task of the default, itself first: only they can be compared."""
    tasks = [task for task, system in lines if system == default]
    others = [system for system in systems if system != default]
    return [system for system in (default, *others) if tasks and all((task, system) in lines for task in tasks)]


def worth(lines: Lines, system: str, tasks: Iterable[str]) -> float:
    """What is maximised: the mean of AUC plus average precision, every corpus with the same weight."""
    names = list(tasks)
    return mean(lines, system, names, "auc") + mean(lines, system, names, "ap")


def leave_one_out(lines: Lines, variants: Sequence[str]) -> Choice:
    """For each corpus the variant that is worth most on the others; of equals, the first. All have the same tasks.

    >>> def line(corpus, auc):
    ...     return {"corpus": corpus, "family": "suite", "auc": auc, "ap": 50.0}
    >>> lines = {("a", "old"): line("x", 80.0), ("a", "new"): line("x", 90.0),
    ...          ("b", "old"): line("y", 85.0), ("b", "new"): line("y", 70.0)}
    >>> choice = leave_one_out(lines, ["old", "new"])
    >>> choice.chosen, choice.families()
    ({'x': 'old', 'y': 'new'}, {'suite': 75.0})
    """
    if not variants:
        return Choice({}, {})
    of_corpus: dict[str, list[str]] = {}
    for (task, system), line in lines.items():
        if system == variants[0]:
            of_corpus.setdefault(line["corpus"], []).append(task)
    chosen: dict[str, str] = {}
    left: dict[Key, dict[str, Any]] = {}
    for corpus, tasks in of_corpus.items():
        others = [task for other, names in of_corpus.items() if other != corpus for task in names]
        # Without another corpus, nobody has a say, and the first stays.
        best = max(variants, key=lambda variant: worth(lines, variant, others)) if others else variants[0]
        chosen[corpus] = best
        left |= {(task, SYSTEM): {**lines[task, best], "chosen": best} for task in tasks}
    return Choice(chosen, left)
