"""The plain sum: one loss for each pair, O(n m). Every shortcut is tested against it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from keysift.risk.losses import Loss
from keysift.risk.sides import Sides

BLOCK = 4_000_000
"""Pairs computed at once, to bound the memory."""


@dataclass(frozen=True)
class Risk:
    """The risk, and its derivative with respect to each positive and each negative score."""

    value: float
    positive_gradient: NDArray[np.float64]
    negative_gradient: NDArray[np.float64]


Method: TypeAlias = Callable[[Loss, Sides], Risk]
"""A way to compute the risk and its gradient."""


def pairs_risk(loss: Loss, sides: Sides) -> Risk:
    """Sum over all pairs, block by block.

    >>> from keysift.risk.losses import get_loss
    >>> pairs_risk(get_loss("hinge"), Sides.of(np.array([2.0, 0.0]), np.array([0.0]))).value
    0.5
    """
    positive, negative, w, v = sides.positive, sides.negative, sides.positive_weights, sides.negative_weights
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
