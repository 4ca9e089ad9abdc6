"""What a view is: it turns documents into features and, after learning, coefficients into a score for every word."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.linear import Features, LinearModel
from keysift.features.pieces import Pieces
from keysift.features.rows import Rows, Tfidf

SPREAD = 10.0
"""The total deviation of the features in every view, so that one strength of the penalty suits all."""

NEAREST, NARROW = 60, 20.0
"""Neighbourhoods that a document belongs to, and how much more to a nearer one: the factor of the cosine."""
Kind = Literal["words", "characters", "sentences", "neighbours"]
"""What a view sees."""


@dataclass(frozen=True, eq=False)
class Documents:
    """What views look at: the counts of words, and sentence vectors where there is an encoder."""

    counts: sp.csr_array
    vectors: NDArray[np.float32] | None = None
    """NaN in the rows of documents that were not encoded."""
    weights: NDArray[np.float64] | None = None
    """How many documents each stands for, where they are a sample."""

    def lacks(self, rows: NDArray[np.int64]) -> bool:
        """Whether some of these documents were not encoded."""
        return self.vectors is not None and bool(np.isnan(self.vectors[rows, :1]).any())


@dataclass(frozen=True)
class Role:
    """What a view sees, and how much it counts.

    >>> Role().weight
    1.0
    """

    kind: Kind = "words"
    weight: float = 1.0
    """In the score."""


PLAIN, CHARACTERS, SENTENCES, NEIGHBOURS = Role(), Role("characters"), Role("sentences", 1.5), Role("neighbours")


@dataclass(frozen=True, eq=False)
class Part:
    """A linear score of one view, written as a score of every word: rows(counts) @ scores + offset."""

    rows: Rows
    scores: NDArray[np.float64]
    offset: float


@dataclass(frozen=True, eq=False)
class CharacterPart:
    """The same for pieces of words: a score for each word known, and for each n-gram, of which all others are made."""

    rows: Tfidf
    scores: NDArray[np.float64]
    offset: float
    pieces: Pieces
    pieces_scores: NDArray[np.float64]
    unseen: float
    """What a word weighs that is not known."""


@dataclass(frozen=True, eq=False)
class NeighbourPart:
    """The same for neighbourhoods of sentence vectors: the mean of their scores, by how far a document belongs."""

    centres: NDArray[np.float32]
    """Unit vectors around the mean, a row for each neighbourhood."""
    mean: NDArray[np.float64]
    """Of the sentence vectors of the training documents."""
    scores: NDArray[np.float64]
    offset: float = 0.0

    @staticmethod
    def unit(vectors: NDArray[np.float32], mean: NDArray[np.float64]) -> NDArray[np.float64]:
        """The vectors around the mean, of length 1."""
        around = vectors - mean
        # Not np.linalg.norm, which rounds as the number of rows will have it.
        return np.asarray(around / np.maximum(np.sqrt((around**2).sum(axis=1, keepdims=True)), 1e-12))

    def belongs(self, vectors: NDArray[np.float32]) -> sp.csr_array:
        """How far each document belongs to each neighbourhood; the same to the bit in any company."""
        count, nearest = len(self.centres), min(NEAREST, len(self.centres))
        columns, shares = [], []
        if not count:
            return sp.csr_array((len(vectors), 0))
        for start in range(0, len(vectors), 4_000):
            unit = self.unit(vectors[start : start + 4_000], self.mean)
            # The fast matrix product rounds its last digits differently for different numbers of rows.
            cosines = np.round(unit @ self.centres.T.astype(np.float64), 6)
            near = np.sort(np.argpartition(-cosines, nearest - 1, axis=1)[:, :nearest], axis=1)
            odds = np.exp(NARROW * (np.take_along_axis(cosines, near, axis=1) - 1))
            columns.append(near.ravel())
            shares.append((odds / odds.sum(axis=1, keepdims=True)).ravel())
        starts = nearest * np.arange(len(vectors) + 1)
        found = np.concatenate([np.empty(0), *shares]), np.concatenate([np.empty(0, dtype=np.int64), *columns])
        return sp.csr_array((*found, starts), shape=(len(vectors), count))

    def score(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """What the neighbourhoods of each document add to its score.

        >>> corners = NeighbourPart(np.eye(2, dtype=np.float32), np.zeros(2), np.array([1.0, -1.0]), 0.5)
        >>> corners.score(np.array([[2.0, 0.0], [1.0, 1.0]], dtype=np.float32)).round(3).tolist()
        [1.5, 0.5]
        """
        return np.asarray(self.belongs(vectors) @ self.scores + self.offset)


class FittedView(Protocol):
    """The training documents in one view."""

    @property
    def X(self) -> Features:  # noqa: N802, the name of features in every formula
        """A row for each training document."""
        ...

    def transform(self, documents: Documents) -> Features:
        """The same for other documents, counted over the same words."""
        ...

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> Part | CharacterPart | LinearModel | NeighbourPart:
        """The linear score with these coefficients, as a score of each of these words.

        A view that does not look at words gives a score of the sentence vector or of its neighbourhoods instead.
        """
        ...


class View(Protocol):
    """A way to turn documents into features; linear in words, so that words can be reasons, or in sentence vectors.

    A view of your own has a `name` and `fit`; `role` may be left out. It can be saved in a model file if its parts
    weigh words by `Tfidf`.
    """

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """Look at the training documents, whose columns are `words`."""
        ...


def role_of(view: View) -> Role:
    """The role of a view; a view of a user's own may have none, and counts as one of words."""
    role = getattr(view, "role", None)
    return role if isinstance(role, Role) else PLAIN


def scale_of(X: Features, mean: NDArray[np.float64]) -> float:
    """What brings the features to a total deviation of `SPREAD`.

    >>> X = np.array([[0.0], [2.0]])
    >>> scale_of(X, X.mean(axis=0))
    10.0
    """
    values = X.data if sp.issparse(X) else np.ravel(X)
    # Not a product of vectors, which rounds as the number of threads will have it; and no copy of all squares.
    square = float(np.einsum("i,i", values, values)) / X.shape[0]
    variance = square - float(mean @ mean)
    # What is left of features that are all the same is rounding, and must not be blown up.
    return SPREAD / float(np.sqrt(variance)) if variance > 1e-12 * max(1.0, square) else 0.0
