"""The zero-one loss needs only ranks: the risk is one minus the AUC, ties counted half."""

import numpy as np

from keysift.losses import Loss
from keysift.risk.pairs import Risk, Scores, Weights, normalised

__all__ = ["ranks_risk"]


def ranks_risk(
    loss: Loss,
    positive: Scores,
    negative: Scores,
    positive_weights: Weights = None,
    negative_weights: Weights = None,
) -> Risk:
    """1 - AUC by sorting the negatives; the gradient is zero wherever there is one.

    >>> from keysift.losses import get_loss
    >>> ranks_risk(get_loss("zero_one"), np.array([1.0, 2.0]), np.array([1.0, 0.0])).value
    0.125
    """
    w = normalised(positive_weights, len(positive))
    v = normalised(negative_weights, len(negative))
    order = np.argsort(negative, kind="stable")
    weight_below = np.concatenate([[0.0], np.cumsum(v[order])])
    below = weight_below[np.searchsorted(negative[order], positive, side="left")]
    not_above = weight_below[np.searchsorted(negative[order], positive, side="right")]
    auc = float(w @ (0.5 * (below + not_above)))
    return Risk(float(weight_below[-1]) - auc, np.zeros(len(positive)), np.zeros(len(negative)))
