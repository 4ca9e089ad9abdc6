"""The zero-one loss: ranks are enough. The risk is one minus the AUC, with ties counted half."""

import numpy as np

from keysift.risk.losses import Loss
from keysift.risk.pairs import Risk
from keysift.risk.sides import Sides


def ranks_risk(loss: Loss, sides: Sides) -> Risk:
    """1 - AUC, by sorting the negatives; the gradient is zero, as the loss is flat on both sides of its jump.

    >>> from keysift.risk.losses import get_loss
    >>> ranks_risk(get_loss("zero_one"), Sides.of(np.array([1.0, 2.0]), np.array([1.0, 0.0]))).value
    0.125
    """
    order = np.argsort(sides.negative, kind="stable")
    sorted_negative = sides.negative[order]
    weight_below = np.concatenate([[0.0], np.cumsum(sides.negative_weights[order])])
    below = weight_below[np.searchsorted(sorted_negative, sides.positive, side="left")]
    not_above = weight_below[np.searchsorted(sorted_negative, sides.positive, side="right")]
    auc = float(sides.positive_weights @ (0.5 * (below + not_above)))
    return Risk(float(weight_below[-1]) - auc, np.zeros(len(sides.positive)), np.zeros(len(sides.negative)))
