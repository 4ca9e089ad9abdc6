"""Where to cut the ranking.

The scores alone cannot tell (Section 4.3 of the paper): the cut comes from the class prior, from a given score or
from a given number of documents. A document is decided positive when its score is *above* the threshold.
"""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keysift.errors import SettingError

__all__ = ["Prior", "Threshold", "check_prior", "check_threshold", "cut", "cut_at_prior", "cut_at_top"]

Prior: TypeAlias = float | Literal["heuristic"]
"""The share of relevant documents, or "heuristic": the share of pseudo-positives."""
Threshold: TypeAlias = float | Literal["prior"] | tuple[Literal["top"], int]
"""A score, "prior" (from the prior), or ("top", k)."""


def check_prior(prior: object) -> Prior:
    """Return a prior that can be used, or say which can."""
    if prior == "heuristic":
        return "heuristic"
    if isinstance(prior, int | float | np.number) and not isinstance(prior, bool) and 0 < float(prior) < 1:
        return float(prior)
    raise SettingError(f"prior must be a number between 0 and 1 (both excluded) or 'heuristic'; got {prior!r}.")


def check_threshold(threshold: object) -> Threshold:
    """Return a threshold that can be used, or say which can."""
    if threshold == "prior":
        return "prior"
    if isinstance(threshold, int | float | np.number) and not isinstance(threshold, bool):
        if np.isfinite(float(threshold)):
            return float(threshold)
    elif isinstance(threshold, tuple | list) and len(threshold) == 2 and threshold[0] == "top":
        k = threshold[1]
        if isinstance(k, int | np.integer) and not isinstance(k, bool) and k > 0:
            return ("top", int(k))
    raise SettingError(
        f"threshold must be 'prior', a score or ('top', k) with a whole number k above 0; got {threshold!r}."
    )


def cut_at_top(scores: NDArray[np.float64], k: int) -> float:
    """A threshold with the k highest scores above it, or as near to k as ties allow.

    >>> cut_at_top(np.array([0.1, 0.4, 0.2, 0.3]), 2)
    0.25
    """
    return _cut_at_mass(scores, np.ones(len(scores)), k)


def cut_at_prior(scores: NDArray[np.float64], prior: float, weights: NDArray[np.float64] | None = None) -> float:
    """The empirical version of Eq. 4: the top share `prior` of the training scores is above the threshold.

    A document of weight two counts as two.

    >>> cut_at_prior(np.array([0.1, 0.4, 0.2, 0.3]), 0.25)
    0.35
    """
    weights = np.ones(len(scores)) if weights is None else weights
    return _cut_at_mass(scores, weights, prior * float(weights.sum()))


def _cut_at_mass(scores: NDArray[np.float64], weights: NDArray[np.float64], wanted: float) -> float:
    """Between two different scores, where the weight above comes nearest to what is wanted."""
    levels, level_of = np.unique(scores, return_inverse=True)
    above = np.append(np.cumsum(np.bincount(level_of, weights)[::-1])[::-1], 0.0)
    # above[i] is the weight of level i and all higher ones. Of two equally near, the one with less above.
    best = len(above) - 1 - int(np.argmin(np.abs(above - wanted)[::-1]))
    if best == len(levels):
        return float(levels[-1])
    if best == 0:
        return float(np.nextafter(levels[0], -np.inf))
    upper, lower = float(levels[best]), float(levels[best - 1])
    middle = lower + (upper - lower) / 2
    return middle if middle < upper else lower


def cut(threshold: Threshold, scores: NDArray[np.float64], prior: float) -> float:
    """The threshold as a score, whichever way it was asked for."""
    if threshold == "prior":
        return cut_at_prior(scores, prior)
    if isinstance(threshold, tuple):
        return cut_at_top(scores, threshold[1])
    return float(threshold)
