"""A cell of a table: the mean of the trials beside the paper's, and whether the two differ."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.published import Published

__all__ = ["MARK", "Cell", "make_cell", "not_worse"]

MARK = "†"
LEVEL = 0.05
ERRORS, POINTS = 2.0, 1.0
"""A cell is marked when it differs by more than so many combined standard errors, and more than so many points."""


@dataclass(frozen=True)
class Cell:
    """Mean and standard error over the trials, and the paper's where it has them."""

    mean: float
    error: float
    trials: int
    paper: Published | None
    bold: bool = False
    paper_bold: bool = False

    @property
    def difference(self) -> float | None:
        """Ours less the paper's."""
        return None if self.paper is None else self.mean - self.paper[0]

    @property
    def marked(self) -> bool:
        """Whether the two differ by more than chance and by more than a point."""
        if self.paper is None or self.difference is None:
            return False
        return abs(self.difference) > max(POINTS, ERRORS * math.hypot(self.error, self.paper[1]))

    def ours(self) -> str:
        """Mean and standard error as the tables show them."""
        error = "" if self.trials < 2 else f" ({self.error:.2f})"
        text = f"{self.mean:.1f}{error}"
        return f"**{text}**" if self.bold else text

    def theirs(self) -> str:
        """The paper's mean and standard error."""
        text = "" if self.paper is None else f"{self.paper[0]:.1f} ({self.paper[1]:.2f})"
        return f"**{text}**" if self.paper_bold else text

    def apart(self) -> str:
        """The difference, with a mark where it needs an explanation."""
        if self.difference is None:
            return ""
        rounded = round(self.difference, 1) + 0.0  # no minus before a zero
        return f"{rounded:+.1f}{MARK if self.marked else ''}".replace("-", "−")


def make_cell(
    values: NDArray[np.float64], paper: Published | None, bold: bool = False, paper_bold: bool = False
) -> Cell:
    """The cell of some trials.

    >>> cell = make_cell(np.array([70.0, 72.0]), (75.0, 0.5))
    >>> cell.ours(), cell.theirs(), cell.apart()
    ('71.0 (1.00)', '75.0 (0.50)', '−4.0†')
    """
    error = float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else 0.0
    return Cell(float(values.mean()), error, len(values), paper, bold, paper_bold)


def not_worse(values: Mapping[str, NDArray[np.float64]]) -> set[str]:
    """Those whose mean is not below the best by a one-sided t-test at 5 %, the paper's rule for boldface.

    >>> trials = {"a": [9.0, 10.0, 11.0], "b": [9.0, 9.5, 10.5], "c": [1.0, 2.0, 1.5]}
    >>> sorted(not_worse({name: np.array(values) for name, values in trials.items()}))
    ['a', 'b']
    """
    if not values:
        return set()
    best = max(values, key=lambda name: float(values[name].mean()))
    return {name for name in values if name == best or _p_value(values[best], values[name]) >= LEVEL}


def _p_value(best: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The chance of such a difference if the best were no better."""
    from scipy.stats import ttest_ind_from_stats

    if len(best) < 2 or len(other) < 2 or (np.ptp(best) == 0 and np.ptp(other) == 0):
        return float(best.mean() <= other.mean())
    samples = [(float(x.mean()), float(x.std(ddof=1)), len(x)) for x in (best, other)]
    return float(ttest_ind_from_stats(*samples[0], *samples[1], alternative="greater").pvalue)
