"""The risk over all pairs, by the shortcut that fits the loss."""

from keysift.risk.binned import binned_risk
from keysift.risk.losses import Form, Loss
from keysift.risk.moments import moments_risk
from keysift.risk.ordered import ordered_risk
from keysift.risk.pairs import Method, Risk
from keysift.risk.ranks import ranks_risk
from keysift.risk.sides import Sides

SHORTCUTS: dict[Form, Method] = {
    "smooth": binned_risk,
    "piecewise linear": ordered_risk,
    "squared": moments_risk,
    "zero-one": ranks_risk,
}


def pairwise_risk(loss: Loss, sides: Sides) -> Risk:
    """The risk over all pairs and its gradient, for little more than one pass over the scores.

    >>> import numpy as np
    >>> from keysift.risk.losses import get_loss
    >>> pairwise_risk(get_loss("zero_one"), Sides.of(np.array([2.0, 3.0]), np.array([1.0, 2.0]))).value
    0.125
    """
    return SHORTCUTS[loss.form](loss, sides)
