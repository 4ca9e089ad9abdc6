"""Everything that was tried beside the main runs, as lines under a title: other readings, 50 epochs, padding, dropout.

A title begins with the system of the paper that it is another way of.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.layout import Results, trials_of, values_of
from benchmarks.paper.results import Key
from benchmarks.paper.systems import NETWORKS

__all__ = ["EPOCHS", "PADDED", "TIES", "WHOLE", "gather", "measured", "rows_beside", "system_of"]

EPOCHS, PADDED, WHOLE = ", 50 epochs", ", 16 places of padding", ", padded to 200"
DROPOUT = ", dropout left on"
TIES = "order of ties"
"""No run, but what the main runs note of tied documents: precision in their worst and in their best order."""


def gather(readings: Results, exact: Results, variants: Results) -> Results:
    """All lines by set, title and trial."""
    lines: dict[Key, dict[str, Any]] = dict(readings)
    networks = {(name, system + EPOCHS, trial): line for (name, system, trial), line in exact.items()} | dict(variants)
    lines |= networks
    for (name, title, trial), line in networks.items():
        if "with_dropout" in line:
            lines[name, title + DROPOUT, trial] = line["with_dropout"]
        if "prec300" in line:
            lines[name, f"{title}, precision at 300", trial] = {"prec100": line["prec300"]}
    return lines


def system_of(title: str) -> str:
    """The system of the paper.

    >>> system_of("Sigmoid, 50 epochs")
    'Sigmoid'
    """
    return title.partition(",")[0]


def measured(experiments: Results, name: str, title: str, key: str, place: int | None = None) -> NDArray[np.float64]:
    """The values of an experiment, of one place of a sweep where it is given; none where they were not measured."""
    there = trials_of(experiments, name, title)
    if not all(key in experiments[name, title, trial] for trial in there):
        return np.empty(0)
    values = values_of(experiments, name, title, key)
    return values if place is None or not len(values) else values[:, place]


def rows_beside(experiments: Results, name: str, system: str) -> list[str]:
    """What a table shows below the row of a network: the paper's own 50 epochs, and padding as in the authors' code."""
    titles = [system + suffix for suffix in (EPOCHS, PADDED, WHOLE)] if system in NETWORKS else []
    return [title for title in titles if trials_of(experiments, name, title)]
