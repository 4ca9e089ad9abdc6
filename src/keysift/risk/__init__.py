"""The empirical AUC risk over all pairs of a positive and a negative score (Eq. 2 and 3 of the paper).

    R(s+, s-) = sum_i sum_j w_i v_j l(s+_i - s-_j) / (sum_i w_i sum_j v_j)

`pairs` does it the obvious way in O(n m); everything else is a shortcut with the same result:
`binned` for any smooth loss, `ordered` for piecewise-linear ones, `moments` for the squared loss and `ranks` for
the zero-one loss. `pairwise_risk` picks the shortcut.
"""

from keysift.losses import Form, Loss
from keysift.risk.binned import binned_risk
from keysift.risk.moments import moments_risk
from keysift.risk.ordered import ordered_risk
from keysift.risk.pairs import Method, Risk, Scores, Weights, pairs_risk
from keysift.risk.ranks import ranks_risk

__all__ = [
    "Risk",
    "binned_risk",
    "moments_risk",
    "ordered_risk",
    "pairs_risk",
    "pairwise_risk",
    "ranks_risk",
]

SHORTCUTS: dict[Form, Method] = {
    "smooth": binned_risk,
    "piecewise linear": ordered_risk,
    "squared": moments_risk,
    "zero-one": ranks_risk,
}


def pairwise_risk(
    loss: Loss,
    positive: Scores,
    negative: Scores,
    positive_weights: Weights = None,
    negative_weights: Weights = None,
) -> Risk:
    """The risk over all pairs and its gradient, at the price of about one pass over the scores.

    >>> import numpy as np
    >>> from keysift.losses import get_loss
    >>> pairwise_risk(get_loss("zero_one"), np.array([2.0, 3.0]), np.array([1.0, 2.0])).value
    0.125
    """
    return SHORTCUTS[loss.form](loss, positive, negative, positive_weights, negative_weights)
