"""The linear score g(x) = coef . x + offset."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

Features: TypeAlias = NDArray[np.float64] | sp.csr_array
"""A row for each document, dense or sparse."""


class Product(LinearOperator):
    """Two sparse matrices as their product, which is never made: it would be far larger than both.

    >>> X = Product(sp.csr_array(np.array([[1.0, 2.0], [0.0, 1.0]])), sp.csr_array(np.array([[3.0], [4.0]])))
    >>> (X @ np.array([2.0])).tolist(), (X.T @ np.array([1.0, 1.0])).tolist(), X[np.array([1])].toarray().tolist()
    ([22.0, 8.0], [15.0], [[4.0]])
    """

    def __init__(self, left: sp.csr_array, right: sp.csr_array) -> None:
        shape = left.shape[0], right.shape[1]
        super().__init__(np.dtype(np.float64), shape)  # type: ignore[call-arg]  # the stubs do not know it
        self.left, self.right = left, right

    def __getitem__(self, rows: NDArray[np.int64]) -> sp.csr_array:
        """Some rows, made."""
        return sp.csr_array(self.left[rows] @ self.right)

    def toarray(self) -> NDArray[np.float64]:
        """All of it, made."""
        return np.asarray((self.left @ self.right).toarray())

    def _matvec(self, coef: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.left @ (self.right @ coef))

    def _rmatvec(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.right.T @ (self.left.T @ weights))


@dataclass(frozen=True)
class LinearModel:
    """A linear map from features to a score; higher means more relevant.

    >>> LinearModel(np.array([1.0, -1.0]), 0.5).score(np.array([[2.0, 1.0]])).tolist()
    [1.5]
    """

    coef: NDArray[np.float64]
    offset: float

    def score(self, X: Features) -> NDArray[np.float64]:
        """One score per row, the same to the bit whatever rows stand beside it."""
        if sp.issparse(X):
            return np.asarray(X @ self.coef + self.offset)
        # Not X @ coef: the fast matrix product rounds differently for different numbers of rows.
        # In C order whatever the order of X: the layout decides how a sum is rounded.
        return np.asarray(np.multiply(X, self.coef, order="C").sum(axis=1) + self.offset)
