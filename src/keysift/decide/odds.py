"""Log odds, chances and normal quantiles in numpy: cutting a ranking again should not wait for scipy to load."""

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

LARGEST = 700.0
"""The exponential of more overflows."""


def logit(chances: ArrayLike) -> NDArray[np.float64]:
    """log(p / (1 - p)).

    >>> logit([0.5, 0.9]).round(3).tolist()
    [0.0, 2.197]
    """
    p = np.asarray(chances, dtype=np.float64)
    return np.asarray(np.log(p) - np.log1p(-p))


def expit(odds: ArrayLike) -> NDArray[np.float64]:
    """1 / (1 + exp(-x)).

    >>> expit([0.0, -1000.0]).tolist()[0]
    0.5
    """
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -LARGEST, LARGEST))))


def normal_quantiles(levels: ArrayLike) -> NDArray[np.float64]:
    """The quantiles of the normal distribution at a few levels between 0 and 1.

    >>> normal_quantiles([0.5, 0.95]).round(3).tolist()
    [0.0, 1.645]
    """
    return np.array([NormalDist().inv_cdf(float(level)) for level in np.asarray(levels)])
