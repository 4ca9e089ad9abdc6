"""Documents as rows over words: the two ways to weigh a word in a document."""

import itertools
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

SPAN = 125_000
"""Entries weighed at a time: what is needed on the way then stays in the processor's cache, and takes no room."""

DAMPED = 1.0 + np.log(np.maximum(np.arange(1000.0), 1.0))
"""1 + log count, for small counts."""


class Rows(Protocol):
    """From counts to rows of weights, for the words that it knows."""

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether each word (column) counts."""
        ...

    def __call__(self, counts: sp.csr_array) -> sp.csr_array:
        """The weights; a word that is not known has none, and is not in the length either."""
        ...


@dataclass(frozen=True, eq=False)
class Shares:
    """The share of each word in the weight of the document, with one added to it; without a weight it is not known.

    >>> Shares(np.array([1.0, 0.5, 0.0]))(sp.csr_array(np.array([[1.0, 4.0, 9.0]]))).toarray().tolist()
    [[0.25, 0.5, 0.0]]
    """

    weights: NDArray[np.float64]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Where there is a weight."""
        return np.asarray(self.weights > 0)

    def __call__(self, counts: sp.csr_array) -> sp.csr_array:
        """Shares of the known words."""
        counts = _only(counts, self.known)
        weighed = counts.data * self.weights.take(counts.indices)
        return word_shares(sp.csr_array((weighed, counts.indices, counts.indptr), shape=counts.shape))


@dataclass(frozen=True, eq=False)
class Tfidf:
    """(1 + log count) times idf, each row of length one; a word of idf zero is not known.

    >>> Tfidf(np.array([3.0, 4.0, 0.0]))(sp.csr_array(np.array([[1.0, 1.0, 9.0]]))).toarray().tolist()
    [[0.6, 0.8, 0.0]]
    """

    idf: NDArray[np.float64]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Where there is an idf."""
        return self.idf > 0

    def __call__(self, counts: sp.csr_array) -> sp.csr_array:
        """Rows of length one, or of zeros."""
        rows = self.copied(counts)
        self.weigh(rows)
        return rows

    def copied(self, counts: sp.csr_array) -> sp.csr_array:
        """The counts of known words, which `weigh` can change in place."""
        counts = _only(counts, self.known)
        return sp.csr_array((counts.data.astype(np.float64), counts.indices, counts.indptr), shape=counts.shape)

    def weigh(self, counts: sp.csr_array, more: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The same in place, for counts of known words only as float64; returns the lengths that rows were divided by.

        `more` is the square that other words add to the length of each row.
        """
        found = [np.empty(0)]
        for span in spans(counts.indptr):
            starts = counts.indptr[span.start : span.stop + 1]
            part = slice(starts[0], starts[-1])
            sizes = np.diff(starts)
            values = counts.data[part]  # a view: what is done to it is done to the counts
            values[:] = damped(values)
            values *= self.idf.take(counts.indices[part])
            squares = np.bincount(np.repeat(np.arange(len(sizes)), sizes), values**2, len(sizes))
            lengths = np.sqrt(squares if more is None else squares + more[span])
            lengths[lengths == 0] = 1.0
            values /= np.repeat(lengths, sizes)
            found.append(lengths)
        return np.concatenate(found)


def damped(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 + log count; most counts are small whole numbers, whose logarithms are known.

    >>> damped(np.array([1.0, 3.0])).round(3).tolist()
    [1.0, 2.099]
    """
    if counts.max(initial=0.0) < len(DAMPED):
        return np.asarray(DAMPED.take(counts.astype(np.int32)))
    return np.asarray(np.log(counts) + 1.0)


def spans(starts: NDArray[np.int32]) -> list[slice]:
    """The rows of a sparse matrix, some `SPAN` of its entries at a time.

    >>> spans(np.array([0, 0, SPAN - 1, SPAN + 1, SPAN + 2]))
    [slice(0, 3, None), slice(3, 4, None)]
    """
    edges = np.searchsorted(starts, np.arange(SPAN, int(starts[-1]), SPAN))
    return [slice(*edge) for edge in itertools.pairwise(np.unique([0, *edges, len(starts) - 1]).tolist())]


def inverse_document_frequency(
    counts: sp.csr_array, least: int = 2, weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """log((1 + n) / (1 + df)) + 1 for each word, zero for words in fewer than `least` documents.

    With `weights` a document stands for so many.

    >>> inverse_document_frequency(sp.csr_array(np.array([[1.0, 1.0], [2.0, 0.0]]))).round(3).tolist()
    [1.0, 0.0]
    """
    held, total = documents_held(counts, weights)
    return np.where((held if weights is None else document_frequency(counts)) >= least, idf(held, total), 0.0)


def idf(held: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """log((1 + total) / (1 + held)) + 1, for what is in so many of the documents.

    >>> idf(np.array([0.0, 1.0]), 1.0).round(2).tolist()
    [1.69, 1.0]
    """
    return np.asarray(np.log((1 + total) / (1 + held)) + 1)


def documents_held(
    counts: sp.csr_array, weights: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], float]:
    """In how many documents each word is, and how many there are; with `weights` a document stands for so many.

    >>> held, total = documents_held(sp.csr_array(np.array([[1.0, 1.0], [2.0, 0.0]])), np.array([1.0, 4.0]))
    >>> held.tolist(), total
    ([5.0, 1.0], 5.0)
    """
    if weights is None:
        return document_frequency(counts).astype(np.float64), float(counts.shape[0])
    each = np.repeat(weights, np.diff(counts.indptr))
    return np.asarray(np.bincount(counts.indices, each, counts.shape[1]), dtype=np.float64), float(weights.sum())


def document_frequency(counts: sp.csr_array) -> NDArray[np.int64]:
    """In how many documents each word is.

    >>> document_frequency(sp.csr_array(np.array([[1.0, 1.0], [2.0, 0.0]]))).tolist()
    [2, 1]
    """
    documents = np.zeros(counts.shape[1], dtype=np.int64)
    for start in range(0, counts.nnz, SPAN):  # all at once would make them twice as wide first, which takes longer
        documents += np.bincount(counts.indices[start : start + SPAN], minlength=len(documents))
    return documents


def _only(counts: sp.csr_array, known: NDArray[np.bool_]) -> sp.csr_array:
    """The counts without those of words that are not known."""
    if known.all():
        return counts
    kept = known.take(counts.indices)
    before = np.concatenate([[0], np.cumsum(kept)]).astype(counts.indptr.dtype)
    held, starts = np.flatnonzero(kept), before.take(counts.indptr)
    return sp.csr_array((counts.data.take(held), counts.indices.take(held), starts), shape=counts.shape)


def word_shares(counts: sp.csr_array) -> sp.csr_array:
    """The share of each word in each document, with one average word added to it.

    The average word is the zero of all vectors and scores. It keeps a document of a single word from standing at the
    very top or bottom, and gives one without any known word a place in the middle.

    >>> word_shares(sp.csr_array(np.array([[1.0, 2.0], [0.0, 0.0]]))).toarray().tolist()
    [[0.25, 0.5], [0.0, 0.0]]
    """
    lengths = np.asarray(counts.sum(axis=1, dtype=np.float64)).ravel()
    shares = counts.data / np.repeat(lengths + 1.0, np.diff(counts.indptr))
    return sp.csr_array((shares, counts.indices, counts.indptr), shape=counts.shape)


def spread_rows(rows: sp.csr_array, places: NDArray[np.int64], count: int) -> sp.csr_array:
    """The same rows at these places among so many; the others are empty.

    >>> spread_rows(sp.csr_array(np.array([[2.0], [3.0]])), np.array([0, 2]), 3).toarray().ravel().tolist()
    [2.0, 0.0, 3.0]
    """
    lengths = np.zeros(count + 1, dtype=rows.indptr.dtype)
    lengths[places + 1] = np.diff(rows.indptr)
    starts = np.cumsum(lengths, dtype=rows.indptr.dtype)
    return sp.csr_array((rows.data, rows.indices, starts), shape=(count, rows.shape[1]))
