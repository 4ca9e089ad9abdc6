"""Log odds of chances, and back; in numpy, because cutting a ranking again should not wait for scipy to load."""

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
