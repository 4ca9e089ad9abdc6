"""Checks of what the theorems are given."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keysift.errors import InputError, SettingError

Vectors: TypeAlias = NDArray[np.float64]
"""One row per document."""


def check_proportion(name: str, value: float) -> float:
    """Refuse a value that is not a share of positives.

    >>> check_proportion("theta", 0.6)
    0.6
    """
    if not 0.0 <= value <= 1.0:
        raise SettingError(f"{name} is a share of positives and must be between 0 and 1; got {value!r}.")
    return float(value)


def check_gap(theta: float, theta_prime: float) -> float:
    """The gap theta - theta', which the paper assumes to be above zero (Section 4.2).

    >>> check_gap(0.75, 0.25)
    0.5
    """
    gap = check_proportion("theta", theta) - check_proportion("theta_prime", theta_prime)
    if not gap > 0.0:
        raise SettingError(
            f"theta must be above theta_prime, or the sets teach nothing; got theta={theta!r} and"
            f" theta_prime={theta_prime!r}; swap the sets, or choose keywords that find more positives."
        )
    return gap


def check_positive(name: str, value: float) -> float:
    """Refuse a value that is not a finite number above zero.

    >>> check_positive("K", 1)
    1.0
    """
    if not 0.0 < value < np.inf:
        raise SettingError(f"{name} must be a finite number above 0; got {value!r}.")
    return float(value)


def check_probability(name: str, value: float) -> float:
    """Refuse a value that is not strictly between 0 and 1.

    >>> check_probability("delta", 0.05)
    0.05
    """
    if not 0.0 < value < 1.0:
        raise SettingError(f"{name} must be above 0 and below 1; got {value!r}.")
    return float(value)


def check_size(name: str, value: int) -> int:
    """Refuse a value that is not a number of documents.

    >>> check_size("n_cp", 3)
    3
    """
    if not (value >= 1 and value == int(value)):
        raise SettingError(f"{name} is a number of documents and must be a whole number of 1 or more; got {value!r}.")
    return int(value)


def finite_scores(name: str, scores: ArrayLike) -> NDArray[np.float64]:
    """Scores as an array of one or more finite numbers.

    >>> finite_scores("positive", [1, 2]).tolist()
    [1.0, 2.0]
    """
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim != 1 or not len(array):
        raise InputError(f"{name} must be a list of one or more scores; got an array of shape {array.shape}.")
    if not np.isfinite(array).all():
        wrong = int((~np.isfinite(array)).sum())
        raise InputError(f"{name} must be finite; {wrong} of {len(array)} scores are not: drop them.")
    return array


def two_sets(x: ArrayLike, x_prime: ArrayLike) -> tuple[Vectors, Vectors]:
    """The vectors of two sets of documents, with the same columns.

    >>> [side.shape for side in two_sets([[1, 2]], [[3, 4], [5, 6]])]
    [(1, 2), (2, 2)]
    """
    X, X_prime = np.asarray(x, dtype=np.float64), np.asarray(x_prime, dtype=np.float64)
    if X.ndim != 2 or X_prime.ndim != 2 or X.shape[1] != X_prime.shape[1] or not X.size or not X_prime.size:
        raise InputError(
            "Both sets must have one row per document, at least one, and the same columns; got arrays of shape"
            f" {X.shape} and {X_prime.shape}."
        )
    if not (np.isfinite(X).all() and np.isfinite(X_prime).all()):
        raise InputError("The vectors of the two sets must be finite; some are NaN or infinite: drop those documents.")
    return X, X_prime
