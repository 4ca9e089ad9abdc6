"""Piecewise-linear losses, exactly: sort once, then use prefix sums. O((n + m) log(n + m))."""

import numpy as np
from numpy.typing import NDArray

from keysift.errors import SettingError
from keysift.risk.losses import Loss
from keysift.risk.pairs import Risk
from keysift.risk.sides import Scores, Sides


def ordered_risk(loss: Loss, sides: Sides) -> Risk:
    """Split the loss into a line and hinges max(0, knot - z), and sum each over all pairs.

    >>> from keysift.risk.losses import get_loss
    >>> ordered_risk(get_loss("hinge"), Sides.of(np.array([2.0, 0.0]), np.array([0.0]))).value
    0.5
    """
    if loss.hinges is None:
        raise SettingError(f"The ordered risk needs a piecewise-linear loss; {loss.name} is {loss.form}.")
    w, v = sides.positive_weights, sides.negative_weights
    # Only differences count, so shift the scores to keep the prefix sums small; by a whole number, because rounding
    # could move a margin off a knot.
    centre = float(np.rint(0.5 * (float(w @ sides.positive) + float(v @ sides.negative))))
    positive, negative = sides.positive - centre, sides.negative - centre
    above = _Above(negative, v)
    below = _Above(centre - sides.positive, w)
    line = loss.hinges.intercept + loss.hinges.slope * (float(w @ positive) - float(v @ negative))
    value = line
    positive_gradient = np.full(len(positive), float(loss.hinges.slope))
    negative_gradient = np.full(len(negative), float(-loss.hinges.slope))
    for knot, weight in zip(loss.hinges.knots, loss.hinges.weights, strict=True):
        # max(0, knot - (p - n)) is above zero for the negatives above p - knot; seen from n, for the positives below
        # n + knot.
        mass, total = above(positive - knot)
        value += weight * float(w @ (total - (positive - knot) * mass))
        positive_gradient -= weight * mass
        negative_gradient += weight * below(-negative - knot)[0]
    return Risk(value, w * positive_gradient, v * negative_gradient)


class _Above:
    """The weight and the weighted sum of the scores strictly above a cut."""

    def __init__(self, scores: Scores, weights: NDArray[np.float64]) -> None:
        order = np.argsort(scores, kind="stable")
        self.sorted = scores[order]
        self.mass = _suffix_sums(weights[order])
        self.total = _suffix_sums((weights * scores)[order])

    def __call__(self, cuts: Scores) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        places = np.searchsorted(self.sorted, cuts, side="right")
        return self.mass[places], self.total[places]


def _suffix_sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([np.cumsum(values[::-1])[::-1], [0.0]])
