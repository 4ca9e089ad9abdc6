"""Whether new scores look like those that the threshold was chosen on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig

SUMMARY = 20_001
"""Quantiles that stand for the scores of training in a model file."""


@dataclass(frozen=True)
class Drift:
    """A two-sample Kolmogorov-Smirnov test: the largest distance between the distributions, and its p-value."""

    statistic: float
    pvalue: float
    config: LearnConfig = DEFAULT

    @property
    def notable(self) -> bool:
        """Whether the distance is large enough to matter and too large for chance."""
        return self.statistic >= self.config.drift_distance and self.pvalue < self.config.drift_pvalue

    def __str__(self) -> str:
        unlikely = self.config.drift_pvalue
        small = f"p < {unlikely:g}" if self.pvalue < unlikely else f"p = {self.pvalue:.3f}"
        return f"Kolmogorov-Smirnov D = {self.statistic:.2f}, {small}"


def summary_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The training scores in order or, where there are many, the quantiles that stand for them in a model file."""
    if len(scores) <= SUMMARY:
        return np.sort(scores)
    return np.asarray(np.quantile(scores, np.linspace(0, 1, SUMMARY)))


def compare_scores(
    new: NDArray[np.float64], summary: NDArray[np.float64], documents: int, config: LearnConfig = DEFAULT
) -> Drift | None:
    """Compare new scores with those of so many training documents; None where they are too few to tell.

    >>> rng = np.random.default_rng(0)
    >>> known = summary_of(rng.normal(size=5000))
    >>> compare_scores(rng.normal(size=500), known, 5000).notable
    False
    >>> compare_scores(rng.normal(loc=1, size=500), known, 5000).notable
    True
    """
    from scipy.special import kolmogorov  # a model is cut again without it

    if len(new) < config.drift_documents or not len(summary):
        return None
    # Both are step functions, so equal scores, however many, add no distance.
    steps = np.concatenate([new, summary])
    here, there = (np.searchsorted(np.sort(scores), steps, "right") / len(scores) for scores in (new, summary))
    statistic = float(np.abs(here - there).max())
    size = np.sqrt(len(new) * documents / (len(new) + documents))
    return Drift(statistic, float(kolmogorov(size * statistic)), config)
