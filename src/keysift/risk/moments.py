"""The squared loss: the mean and variance of the scores are enough."""

from keysift.risk.losses import Loss
from keysift.risk.pairs import Risk
from keysift.risk.sides import Sides


def moments_risk(loss: Loss, sides: Sides) -> Risk:
    """Mean of (1 - s+ + s-)^2 = (1 - mean s+ + mean s-)^2 + var s+ + var s-.

    >>> import numpy as np
    >>> from keysift.risk.losses import get_loss
    >>> moments_risk(get_loss("squared"), Sides.of(np.array([1.0, 3.0]), np.array([0.0]))).value
    2.0
    """
    w, v = sides.positive_weights, sides.negative_weights
    mean_positive, mean_negative = float(w @ sides.positive), float(v @ sides.negative)
    from_mean_positive, from_mean_negative = sides.positive - mean_positive, sides.negative - mean_negative
    gap = 1.0 - mean_positive + mean_negative
    return Risk(
        value=gap**2 + float(w @ from_mean_positive**2) + float(v @ from_mean_negative**2),
        positive_gradient=-2.0 * w * (gap - from_mean_positive),
        negative_gradient=2.0 * v * (gap + from_mean_negative),
    )
