"""Posteriors made by hand."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from keysift.decide.posterior import Interval, Posterior, masses, through_means


def three_curves(
    knots: NDArray[np.float64], chances: NDArray[np.float64], scores: NDArray[np.float64], priors: Interval
) -> Posterior:
    """One curve through each of three priors."""
    knots, first = np.unique(knots, return_index=True)
    odds = np.tile(logit(np.clip(chances[first], 1e-4, 1 - 1e-4)), (3, 1))
    wanted = np.array([priors.low, priors.value, priors.high])
    return Posterior(knots, through_means(odds, masses(scores, knots), wanted), wanted, 0.0, "a test")


def means_of(posterior: Posterior, scores: NDArray[np.float64]) -> list[float]:
    """The mean of each curve over some documents, the slow way."""
    return [float(np.interp(scores, posterior.scores, curve).mean()) for curve in posterior.chances]
