"""The empirical AUC risk over all pairs of a positive and a negative score (Eq. 2 and 3 of the paper).

    R(s+, s-) = sum_i sum_j w_i v_j l(s+_i - s-_j) / (sum_i w_i sum_j v_j)

`Sides` holds the two sets of scores and their weights, `LOSSES` the losses by name, and `pairwise_risk` computes the
risk and its gradient by the shortcut that fits the loss: `binned` for smooth losses, `ordered` for piecewise-linear
ones, `moments` for the squared loss and `ranks` for the zero-one loss. `pairs` is the plain O(n m) sum that they are
tested against. Scores that are NaN are refused with a sentence.

>>> import numpy as np
>>> sides = Sides.of(positive=np.array([2.0, 3.0]), negative=np.array([1.0, 2.0]))
>>> pairwise_risk(get_loss("zero_one"), sides).value
0.125
"""

from keysift.risk.losses import LOSSES, Loss, get_loss
from keysift.risk.pairwise import pairwise_risk
from keysift.risk.sides import Sides

__all__ = ["LOSSES", "Loss", "Sides", "get_loss", "pairwise_risk"]
