"""Whether new scores look like those that the threshold was made for."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import kolmogorov

__all__ = ["Drift", "compare_scores", "summary_of"]

SUMMARY = 1001
FEWEST = 50
"""Fewer new documents are no distribution."""
NOTABLE, UNLIKELY = 0.1, 0.001


@dataclass(frozen=True)
class Drift:
    """The two-sample Kolmogorov-Smirnov test: the largest distance of two distribution functions, and its p-value."""

    statistic: float
    pvalue: float

    @property
    def notable(self) -> bool:
        """Whether the distance is large enough to matter and too large for chance."""
        return self.statistic >= NOTABLE and self.pvalue < UNLIKELY

    def __str__(self) -> str:
        small = f"p < {UNLIKELY:g}" if self.pvalue < UNLIKELY else f"p = {self.pvalue:.3f}"
        return f"Kolmogorov-Smirnov D = {self.statistic:.2f}, {small}"


def summary_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores of training, in order, or the quantiles that stand for them in a model file where they are many."""
    if len(scores) <= SUMMARY:
        return np.sort(scores)
    return np.asarray(np.quantile(scores, np.linspace(0, 1, SUMMARY)))


def compare_scores(new: NDArray[np.float64], summary: NDArray[np.float64], documents: int) -> Drift | None:
    """Compare new scores with those of so many training documents; None where they are too few to tell.

    >>> rng = np.random.default_rng(0)
    >>> known = summary_of(rng.normal(size=5000))
    >>> compare_scores(rng.normal(size=500), known, 5000).notable
    False
    >>> compare_scores(rng.normal(loc=1, size=500), known, 5000).notable
    True
    """
    if len(new) < FEWEST or not len(summary):
        return None
    # Both functions are steps, so that equal scores, however many, are no distance.
    steps = np.concatenate([new, summary])
    here, there = (np.searchsorted(np.sort(scores), steps, "right") / len(scores) for scores in (new, summary))
    statistic = float(np.abs(here - there).max())
    size = np.sqrt(len(new) * documents / (len(new) + documents))
    return Drift(statistic, float(kolmogorov(size * statistic)))
