"""What a view makes of documents: features to learn from, and afterwards one score a word."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.models import Features, LinearModel
from keysift.views.rows import Rows

__all__ = ["SPREAD", "Documents", "Part", "Reading", "View", "scale_of"]

SPREAD = 10.0
"""The total deviation of the features in every view, so that one strength of regularisation suits all."""


@dataclass(frozen=True, eq=False)
class Documents:
    """What views look at: the counts of words, and sentence vectors where there is an encoder."""

    counts: sp.csr_array
    vectors: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """A linear score of one view, told as a score of every word: rows(counts) @ scores + offset."""

    rows: Rows
    scores: NDArray[np.float64]
    offset: float


class Reading(Protocol):
    """The training documents in one view."""

    @property
    def X(self) -> Features:  # noqa: N802, the name of features in every formula
        """A row for each training document."""
        ...

    def features(self, documents: Documents) -> Features:
        """The same for other documents, counted over the same words."""
        ...

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> Part | LinearModel:
        """What the linear score with these coefficients makes of each of these words, known in training or not.

        A view that does not look at words gives a score of the sentence vector.
        """
        ...


class View(Protocol):
    """A way to turn documents into features; linear in words, so that words can be reasons, or in sentence vectors."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def read(self, documents: Documents, words: pl.Series) -> Reading:
        """Read the training documents, whose columns are `words`."""
        ...


def scale_of(X: Features, mean: NDArray[np.float64]) -> float:
    """What brings the features to a total deviation of `SPREAD`.

    >>> X = np.array([[0.0], [2.0]])
    >>> scale_of(X, X.mean(axis=0))
    10.0
    """
    squares = X.power(2).sum() if sp.issparse(X) else np.square(X).sum()
    square = float(squares) / X.shape[0]
    variance = square - float(mean @ mean)
    # What is left of features that are all alike is rounding, and must not be blown up.
    return SPREAD / float(np.sqrt(variance)) if variance > 1e-12 * max(1.0, square) else 0.0
