"""What the tables of RESULTS.md are made of: the values of trials, columns, and rows of Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.cells import MARK, Cell
from benchmarks.paper.results import Key

__all__ = ["FULL", "MEASURES", "Column", "Results", "fewer", "markdown", "pair", "short", "trials_of", "values_of"]

FULL = 20
"""Trials of the paper; where a cell has fewer, it says so."""
MEASURES = {"auc": "AUC", "f1": "F1", "acc": "ACC", "prec100": "Prec@100"}

Results = Mapping[Key, dict[str, Any]]


@dataclass(frozen=True)
class Column:
    """What one column of a table shows: a key of the results, and where the paper has it."""

    heading: str
    name: str
    table: str
    measure: str

    def values(self, results: Results, system: str) -> NDArray[np.float64]:
        """One value for each trial."""
        suffix = "" if self.table == "main" else f"_{self.table}"
        return values_of(results, self.name, system, self.measure + suffix)


def values_of(results: Results, name: str, system: str, key: str) -> NDArray[np.float64]:
    """The value of a key in each trial, in the order of the trials."""
    found = [results[name, system, trial][key] for trial in trials_of(results, name, system)]
    return np.array(found, dtype=np.float64)


def trials_of(results: Results, name: str, system: str) -> list[int]:
    """The trials that are there, in order."""
    return sorted(trial for of_set, of_system, trial in results if (of_set, of_system) == (name, system))


def short(cell: Cell | None) -> str:
    """Ours / the paper's."""
    if cell is None:
        return "—"
    ours = f"**{cell.mean:.1f}**" if cell.bold else f"{cell.mean:.1f}"
    theirs = "—" if cell.paper is None else f"{cell.paper[0]:.1f}"
    return f"{ours} / {theirs}{MARK if cell.marked else ''}"


def fewer(cell: Cell) -> str:
    """How many trials, where they are not all."""
    return "" if cell.trials >= FULL else f" <sub>n={cell.trials}</sub>"


def pair(values: Sequence[float]) -> str:
    """Two counts.

    >>> pair([3.2, 4])
    '(3, 4)'
    """
    return f"({values[0]:.0f}, {values[1]:.0f})"


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table.

    >>> list(markdown(["", "a"], [["b", "1"]]))
    ['|  | a |', '|---|---:|', '| b | 1 |']
    """
    yield "| " + " | ".join(heads) + " |"
    yield "|---|" + "---:|" * (len(heads) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
