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
    """A threshold with the k highest scores above it; fewer where the k-th score is tied with the next.

    >>> cut_at_top(np.array([0.1, 0.4, 0.2, 0.3]), 2)
    0.25
    """
    ordered = np.sort(scores)[::-1]
    if k >= len(ordered):
        return float(np.nextafter(ordered[-1], -np.inf))
    if k <= 0:
        return float(ordered[0])
    upper, lower = float(ordered[k - 1]), float(ordered[k])
    middle = lower + (upper - lower) / 2
    return middle if middle < upper else lower


def cut_at_prior(scores: NDArray[np.float64], prior: float, weights: NDArray[np.float64] | None = None) -> float:
    """The empirical version of Eq. 4: the top share `prior` of the training scores is above the threshold.

    With weights, the documents above never weigh more than that share.

    >>> cut_at_prior(np.array([0.1, 0.4, 0.2, 0.3]), 0.25)
    0.35
    """
    if weights is None:
        return cut_at_top(scores, round(prior * len(scores)))
    order = np.argsort(-scores, kind="stable")
    mass = np.cumsum(weights[order])
    wanted, rounding = prior * mass[-1], 1e-9 * mass[-1]
    k = int(np.searchsorted(mass, wanted + rounding, side="right"))
    if k < len(scores) and (k == 0 or mass[k - 1] < wanted - rounding):
        return float(scores[order[k]])  # the wanted mass ends inside this document
    return cut_at_top(scores, k)


def cut(threshold: Threshold, scores: NDArray[np.float64], prior: float) -> float:
    """The threshold as a score, whichever way it was asked for."""
    if threshold == "prior":
        return cut_at_prior(scores, prior)
    if isinstance(threshold, tuple):
        return cut_at_top(scores, threshold[1])
    return float(threshold)
