"""Which documents are alike, and whose neighbours hold a keyword.

Where documents come from conversations or topics, those about one thing share many rare words. A document that holds no
keyword, but whose neighbours do, is then likely to be relevant. Whether that is so can be seen without a label: the
neighbours of documents with some of the keywords should hold the left-out ones (`measure_quality`).
"""

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.learning.across import Split, top_share
from keysift.learning.likeness import most_alike, unit_rows

__all__ = ["NEAREST", "Neighbours", "find_neighbours", "is_rare"]

NEAREST = 20
MOST_DOCUMENTS = 20_000
"""Comparing all with all takes the square of their number; of more documents a sample is compared, and the rest has no
say."""
FREQUENT = 0.1
"""A word in a larger share of the documents does not make two of them alike."""
STEPS, RESTART = 6, 0.1
WIDER = 2.0
"""So many times as many documents are labelled relevant as hold a keyword."""
FEWEST = 0.05
"""And at least this share of them."""


class Neighbours:
    """Every document and those most like it: `graph` has rows that add up to one."""

    def __init__(self, graph: sp.csr_array) -> None:
        self.graph = graph

    @property
    def documents(self) -> NDArray[np.int64]:
        """Those that are like any other."""
        return np.flatnonzero(np.diff(self.graph.indptr))

    def held(self, split: Split) -> NDArray[np.float64]:
        """How much of a keyword the neighbours of each document hold."""
        return np.asarray(self.graph @ _seeds(split))

    def reached(self, split: Split) -> NDArray[np.float64]:
        """How near each document is to those with a keyword, which spread in ever wider circles.

        Documents that count nothing in the split, or were compared with none, are not reached.
        """
        seeds = _seeds(split)
        reached = seeds
        for _ in range(STEPS):
            reached = RESTART * seeds + (1 - RESTART) * (self.graph @ reached)
        return np.where(self._counts(split), reached, 0.0)

    def split(self, split: Split) -> Split:
        """The documents nearest to those with a keyword; the nearer, the more they count."""
        reached = self.reached(split)
        positive = top_share(reached, max(WIDER * float(split.positive.mean()), FEWEST)) & (reached > 0)
        weights = np.where(positive, reached / reached[positive].mean(), 1.0)
        return Split(positive, np.where(self._counts(split), weights, 0.0))

    def _counts(self, split: Split) -> NDArray[np.bool_]:
        return np.asarray((split.weights > 0) & (split.positive | (np.diff(self.graph.indptr) > 0)))


def find_neighbours(X: sp.csr_array, keep: NDArray[np.int64], rng: np.random.Generator) -> Neighbours:
    """The nearest documents of each by the cosine of their rows, in both directions.

    Of very many documents those in `keep` and a sample of the others are compared.

    >>> X = sp.csr_array(np.array([[1.0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]))
    >>> find_neighbours(X, np.array([0]), np.random.default_rng(0)).graph.toarray().tolist()
    [[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]]
    """
    documents = _compared(X.shape[0], keep, rng)
    rows = _rare(X[documents].astype(np.float32))
    places, values = most_alike(rows, sp.csr_array(rows.T), NEAREST, same=True)
    shape = (X.shape[0], X.shape[0])
    start = np.repeat(documents, places.shape[1])
    graph = sp.csr_array((np.maximum(values.ravel(), 0.0), (start, documents[places.ravel()])), shape=shape)
    graph = sp.csr_array(graph + graph.T)
    graph.eliminate_zeros()
    total = np.asarray(graph.sum(axis=1)).ravel()
    return Neighbours(sp.csr_array(sp.diags_array(1 / np.where(total > 0, total, 1.0)) @ graph))


def _seeds(split: Split) -> NDArray[np.float64]:
    return np.where(split.positive, split.weights, 0.0)


def _compared(number: int, keep: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    if number <= MOST_DOCUMENTS:
        return np.arange(number)
    kept = keep if len(keep) <= MOST_DOCUMENTS // 2 else rng.choice(keep, MOST_DOCUMENTS // 2, replace=False)
    others = np.setdiff1d(np.arange(number), keep)
    sample = rng.choice(others, min(MOST_DOCUMENTS - len(kept), len(others)), replace=False)
    return np.sort(np.concatenate([kept, sample]))


def _rare(X: sp.csr_array) -> sp.csr_array:
    """Rows of length one, without the frequent words."""
    rare = is_rare(X)
    X = sp.csr_array((np.where(rare[X.indices], X.data, np.float32(0)), X.indices, X.indptr), shape=X.shape)
    X.eliminate_zeros()
    return unit_rows(X)


def is_rare(X: sp.csr_array) -> NDArray[np.bool_]:
    """Whether each word (column) is in few enough documents to make two of them alike."""
    documents = np.bincount(X.indices, minlength=X.shape[1])
    return np.asarray(documents <= max(FREQUENT * X.shape[0], 2))
