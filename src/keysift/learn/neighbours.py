"""Which documents are similar, and whose neighbours hold a keyword.

Where documents come from conversations or topics, those about one thing share many rare words. A document that holds no
keyword, but whose neighbours do, is then likely to be relevant. Whether that is so can be seen without a label: the
neighbours of documents with some of the keywords should hold the left-out ones (`measure_quality`).
"""

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.learn.similarity import most_similar, unit_length
from keysift.learn.split import Split, top_share


class Neighbours:
    """Every document and those most similar to it; each row of `graph` adds up to one."""

    def __init__(self, graph: sp.csr_array, config: LearnConfig = DEFAULT) -> None:
        self.graph = graph
        self.config = config

    @property
    def documents(self) -> NDArray[np.int64]:
        """Documents that have a neighbour."""
        return np.flatnonzero(np.diff(self.graph.indptr))

    def keyword_share(self, split: Split) -> NDArray[np.float64]:
        """The mean weight of the keywords that the neighbours of each document hold."""
        return np.asarray(self.graph @ _seeds(split))

    def reached(self, split: Split) -> NDArray[np.float64]:
        """How far the keywords have spread to each document, from neighbour to neighbour.

        Documents that do not count in the split, or have no neighbour, are not reached.
        """
        seeds, restart = _seeds(split), self.config.restart
        reached = seeds
        for _ in range(self.config.spreading_steps):
            reached = restart * seeds + (1 - restart) * (self.graph @ reached)
        return np.where(self._counts(split), reached, 0.0)

    def split(self, split: Split) -> Split:
        """The documents nearest to those with a keyword; the nearer, the more they count."""
        reached = self.reached(split)
        share = max(self.config.reach * float(split.positive.mean()), self.config.least_reach)
        positive = top_share(reached, share) & (reached > 0)
        weights = np.where(positive, reached / reached[positive].mean(), 1.0)
        return Split(positive, np.where(self._counts(split), weights, 0.0))

    def _counts(self, split: Split) -> NDArray[np.bool_]:
        return np.asarray((split.weights > 0) & (split.positive | (np.diff(self.graph.indptr) > 0)))


def find_neighbours(
    X: sp.csr_array, keep: NDArray[np.int64], rng: np.random.Generator, config: LearnConfig = DEFAULT
) -> Neighbours:
    """The nearest documents of each by the cosine of their rows, in both directions.

    If there are too many documents, only those in `keep` and a sample of the others are compared.

    >>> X = sp.csr_array(np.array([[1.0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]))
    >>> find_neighbours(X, np.array([0]), np.random.default_rng(0)).graph.toarray().tolist()
    [[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]]
    """
    documents = _compared(X.shape[0], keep, rng, config.most_compared)
    rows = _rare(X[documents].astype(np.float32), config.common_word)
    places, values = most_similar(rows, sp.csr_array(rows.T), config.neighbours, same=True)
    shape = (X.shape[0], X.shape[0])
    start = np.repeat(documents, places.shape[1])
    graph = sp.csr_array((np.maximum(values.ravel(), 0.0), (start, documents[places.ravel()])), shape=shape)
    graph = sp.csr_array(graph + graph.T)
    graph.eliminate_zeros()
    total = np.asarray(graph.sum(axis=1)).ravel()
    return Neighbours(sp.csr_array(sp.diags_array(1 / np.where(total > 0, total, 1.0)) @ graph), config)


def _seeds(split: Split) -> NDArray[np.float64]:
    return np.where(split.positive, split.weights, 0.0)


def _compared(number: int, keep: NDArray[np.int64], rng: np.random.Generator, most: int) -> NDArray[np.int64]:
    if number <= most:
        return np.arange(number)
    kept = keep if len(keep) <= most // 2 else rng.choice(keep, most // 2, replace=False)
    others = np.setdiff1d(np.arange(number), keep)
    sample = rng.choice(others, min(most - len(kept), len(others)), replace=False)
    return np.sort(np.concatenate([kept, sample]))


def _rare(X: sp.csr_array, common: float) -> sp.csr_array:
    """Rows of length one, without the frequent words."""
    rare = is_rare(X, common)
    X = sp.csr_array((np.where(rare[X.indices], X.data, np.float32(0)), X.indices, X.indptr), shape=X.shape)
    X.eliminate_zeros()
    return unit_length(X)


def is_rare(X: sp.csr_array, common: float) -> NDArray[np.bool_]:
    """Whether each word (column) is in few enough documents to make two of them similar."""
    documents = np.bincount(X.indices, minlength=X.shape[1])
    return np.asarray(documents <= max(common * X.shape[0], 2))
