"""The leading singular vectors of a sparse matrix, by random projections (Halko, Martinsson and Tropp, 2011)."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

MORE = 10
"""Projections beyond those that are asked for."""


def randomized_svd(
    matrix: sp.csr_array, size: int, *, n_iter: int, random_state: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Left vectors, values and right vectors, in the precision of the matrix; `n_iter` is 3 or more.

    The same to the bit as in scikit-learn, which takes a second to load.

    >>> matrix = sp.csr_array(np.outer([3.0, 4.0], [1.0, 0.0, 0.0]))
    >>> left, values, right = randomized_svd(matrix, 1, n_iter=3, random_state=0)
    >>> left.ravel().round(6).tolist(), values.round(6).tolist(), np.abs(right.ravel()).round(6).tolist()
    ([0.6, 0.8], [5.0], [1.0, 0.0, 0.0])
    """
    from scipy.linalg import lu, qr, svd

    wide = matrix.shape[0] < matrix.shape[1]
    A: Any = matrix.T if wide else matrix  # the narrow way is faster
    Q: Any = np.random.RandomState(random_state).normal(size=(A.shape[1], size + MORE)).astype(matrix.dtype)
    for _ in range(n_iter):
        Q, _ = lu(A @ Q, permute_l=True, check_finite=False)
        Q, _ = lu(A.T @ Q, permute_l=True, check_finite=False)
    Q, _ = qr(A @ Q, mode="economic", check_finite=False)
    small, values, right = svd(Q.T @ A, full_matrices=False)
    left = Q @ small
    # A singular vector has either sign; the greatest entry of the left one is positive.
    decisive = right if wide else left.T
    signs = np.sign(decisive[np.arange(len(decisive)), np.abs(decisive).argmax(axis=1)])
    left, right = left * signs, right * signs[:, np.newaxis]
    return (right[:size].T, values[:size], left[:, :size].T) if wide else (left[:, :size], values[:size], right[:size])
