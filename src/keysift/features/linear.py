"""The linear score g(x) = coef . x + offset."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Features: TypeAlias = NDArray[np.float64] | sp.csr_array
"""A row for each document, dense or sparse."""


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
