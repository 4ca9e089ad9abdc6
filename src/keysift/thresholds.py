"""Where to cut the ranking.

The scores alone cannot tell (Section 4.3 of the paper): the cut comes from the class prior, from what is expected of it
(precision, recall or F1, by the chance of every document to be relevant), from a given score or from a number of
documents. A document is decided positive when its score is *above* the threshold.
"""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keysift.errors import SettingError
from keysift.posteriors import Posterior

__all__ = ["Prior", "Threshold", "check_prior", "check_threshold", "cut", "cut_at_prior", "cut_at_top", "cut_for"]

Prior: TypeAlias = float | Literal["heuristic", "estimate", "audit"]
"""The share of relevant documents, or how to find it: "estimate" (without a label), "heuristic" (the share of
pseudo-positives), "audit" (from answers)."""
Threshold: TypeAlias = (
    float | Literal["prior", "max_f1"] | tuple[Literal["top"], int] | tuple[Literal["precision", "recall"], float]
)
"""A score, "prior" (from the prior), "max_f1", ("precision", 0.9), ("recall", 0.95), or ("top", k)."""


def check_prior(prior: object) -> Prior:
    """Return a prior that can be used, or say which can."""
    if isinstance(prior, str) and prior in ("heuristic", "estimate", "audit"):
        return prior  # type: ignore[return-value]
    if isinstance(prior, int | float | np.number) and not isinstance(prior, bool) and 0 < float(prior) < 1:
        return float(prior)
    raise SettingError(
        f"prior must be a number between 0 and 1 (both excluded), 'estimate', 'heuristic' or 'audit'; got {prior!r}."
    )


def check_threshold(threshold: object) -> Threshold:
    """Return a threshold that can be used, or say which can."""
    if isinstance(threshold, str) and threshold in ("prior", "max_f1"):
        return threshold  # type: ignore[return-value]
    if isinstance(threshold, int | float | np.number) and not isinstance(threshold, bool):
        if np.isfinite(float(threshold)):
            return float(threshold)
    elif isinstance(threshold, tuple | list) and len(threshold) == 2:
        kind, value = threshold
        if isinstance(value, int | float | np.number) and not isinstance(value, bool):
            if kind == "top" and isinstance(value, int | np.integer) and value > 0:
                return ("top", int(value))
            if kind in ("precision", "recall") and 0 < float(value) < 1:
                return (kind, float(value))
    raise SettingError(
        "threshold must be 'prior', 'max_f1', ('precision', p) or ('recall', r) with a share between 0 and 1, a score,"
        f" or ('top', k) with a whole number k above 0; got {threshold!r}."
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


def cut_for(
    target: Literal["max_f1"] | tuple[Literal["precision", "recall"], float],
    scores: NDArray[np.float64],
    posterior: Posterior,
) -> float:
    """The cut with the largest expected F1, or with the most documents at a precision, or the fewest at a recall.

    >>> scores = np.array([4.0, 3.0, 2.0, 1.0])
    >>> chances = np.tile([0.0, 0.6, 0.8, 1.0], (3, 1))
    >>> posterior = Posterior(scores[::-1].copy(), chances, "an example")
    >>> [cut_for(target, scores, posterior) for target in ("max_f1", ("precision", 0.9), ("recall", 0.4))]
    [1.5, 2.5, 3.5]
    """
    ordered = np.sort(scores)[::-1]
    found = np.cumsum(posterior.at(ordered))
    counts = np.arange(1, len(ordered) + 1)
    # Only a cut between two different scores can be made.
    possible = np.flatnonzero(np.append(ordered[:-1] > ordered[1:], True))
    if target == "max_f1":
        best = possible[np.argmax((2 * found / (counts + found[-1]))[possible])]
    elif target[0] == "precision":
        precision = found / counts
        enough = possible[precision[possible] >= target[1]]
        if not len(enough):
            top = possible[np.argmax(precision[possible])]
            best_there_is = np.floor(1000 * precision[top]) / 1000  # rounded up, it could not be reached either
            raise SettingError(
                f"No cut has an expected precision of {target[1]:g}: the best is {best_there_is:.3f}, at the top"
                f" {counts[top]:,} (from {posterior.basis}); ask for at most that, or audit the ranking to know more."
            )
        best = enough[-1]
    else:
        best = possible[np.argmax((found / found[-1])[possible] >= target[1] - 1e-12)]
    return cut_at_top(scores, int(counts[best]))


def cut(threshold: Threshold, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
    """The threshold as a score, whichever way it was asked for."""
    if threshold == "prior":
        return cut_at_prior(scores, prior)
    if isinstance(threshold, tuple) and threshold[0] == "top":
        return cut_at_top(scores, int(threshold[1]))
    if isinstance(threshold, int | float):
        return float(threshold)
    return cut_for(threshold, scores, posterior)
