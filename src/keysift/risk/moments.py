"""The squared loss needs only the first two moments of the scores."""

from keysift.losses import Loss
from keysift.risk.pairs import Risk, Scores, Weights, normalised

__all__ = ["moments_risk"]


def moments_risk(
    loss: Loss,
    positive: Scores,
    negative: Scores,
    positive_weights: Weights = None,
    negative_weights: Weights = None,
) -> Risk:
    """Mean of (1 - s+ + s-)^2 = (1 - mean s+ + mean s-)^2 + var s+ + var s-.

    >>> import numpy as np
    >>> from keysift.losses import get_loss
    >>> moments_risk(get_loss("squared"), np.array([1.0, 3.0]), np.array([0.0])).value
    2.0
    """
    w = normalised(positive_weights, len(positive))
    v = normalised(negative_weights, len(negative))
    mean_positive, mean_negative = float(w @ positive), float(v @ negative)
    from_mean_positive, from_mean_negative = positive - mean_positive, negative - mean_negative
    gap = 1.0 - mean_positive + mean_negative
    return Risk(
        value=gap**2 + float(w @ from_mean_positive**2) + float(v @ from_mean_negative**2),
        positive_gradient=-2.0 * w * (gap - from_mean_positive),
        negative_gradient=2.0 * v * (gap + from_mean_negative),
    )
