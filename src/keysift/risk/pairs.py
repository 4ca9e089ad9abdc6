"""The obvious twin: one loss for each pair, O(n m). Every shortcut is tested against it."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keysift.losses import Loss

__all__ = ["Method", "Risk", "Scores", "Weights", "normalised", "pairs_risk"]

Scores: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = NDArray[np.float64] | None

BLOCK = 4_000_000
"""Pairs looked at in one go, to bound the memory."""


@dataclass(frozen=True)
class Risk:
    """The risk, and its derivative by each positive and each negative score."""

    value: float
    positive_gradient: NDArray[np.float64]
    negative_gradient: NDArray[np.float64]


class Method(Protocol):
    """What every way of computing the risk looks like."""

    def __call__(
        self,
        loss: Loss,
        positive: Scores,
        negative: Scores,
        positive_weights: Weights = None,
        negative_weights: Weights = None,
    ) -> Risk:
        """Compute the risk and its gradient."""
        ...


def normalised(weights: Weights, size: int) -> NDArray[np.float64]:
    """Weights that add up to one; equal ones by default."""
    if weights is None:
        return np.full(size, 1.0 / size)
    weights = np.asarray(weights, dtype=np.float64)
    return np.asarray(weights / weights.sum())


def pairs_risk(
    loss: Loss,
    positive: Scores,
    negative: Scores,
    positive_weights: Weights = None,
    negative_weights: Weights = None,
) -> Risk:
    """Sum over all pairs, block by block.

    >>> from keysift.losses import get_loss
    >>> pairs_risk(get_loss("hinge"), np.array([2.0, 0.0]), np.array([0.0])).value
    0.5
    """
    w = normalised(positive_weights, len(positive))
    v = normalised(negative_weights, len(negative))
    value = 0.0
    positive_gradient = np.empty(len(positive))
    negative_gradient = np.zeros(len(negative))
    rows = max(1, BLOCK // len(negative))
    for start in range(0, len(positive), rows):
        part = slice(start, start + rows)
        margins = positive[part, None] - negative[None, :]
        value += float(w[part] @ loss.value(margins) @ v)
        slopes = loss.slope(margins)
        positive_gradient[part] = w[part] * (slopes @ v)
        negative_gradient -= v * (w[part] @ slopes)
    return Risk(value, positive_gradient, negative_gradient)
