"""The training documents without some of their words: only a few documents change, and the others are not copied."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

from keysift.features.linear import Features, LinearModel
from keysift.features.view import CharacterPart, Documents, FittedView, NeighbourPart, Part


class ReplacedRows(LinearOperator):
    """A matrix with other values in some rows, to be multiplied only.

    >>> X = ReplacedRows(np.array([[1.0], [2.0], [3.0]]), np.array([1]), np.array([[5.0]]))
    >>> (X @ np.array([2.0])).tolist(), (X.T @ np.array([1.0, 1.0, 1.0])).tolist()
    ([2.0, 10.0, 6.0], [9.0])
    """

    def __init__(self, X: Features, rows: NDArray[np.int64], others: Features) -> None:
        super().__init__(np.dtype(np.float64), X.shape)  # type: ignore[call-arg]  # the stubs do not know it
        self.X, self.rows, self.others = X, rows, others

    def _matvec(self, coef: NDArray[np.float64]) -> NDArray[np.float64]:
        scores = np.asarray(self.X @ coef)
        scores[self.rows] = self.others @ coef
        return scores

    def _rmatvec(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        kept = weights.copy()
        kept[self.rows] = 0.0
        return np.asarray(self.X.T @ kept + self.others.T @ weights[self.rows])


@dataclass(frozen=True, eq=False)
class Masked:
    """Other features of the training documents, in an otherwise unchanged view."""

    X: Features
    view: FittedView

    def transform(self, documents: Documents) -> Features:
        """As the view does."""
        return self.view.transform(documents)

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> Part | CharacterPart | LinearModel | NeighbourPart:
        """As the view does."""
        return self.view.part(coef, words)


def mask(view: FittedView, rows: NDArray[np.int64], others: Documents) -> Masked:
    """The view with other documents in the place of some."""
    return Masked(cast("Features", ReplacedRows(view.X, rows, view.transform(others))), view)
