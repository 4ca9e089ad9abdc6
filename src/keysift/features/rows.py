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
    """The share of each known word in the document, with one average word added to it.

    >>> Shares(np.array([True, True, False]))(sp.csr_array(np.array([[1.0, 2.0, 9.0]]))).toarray().tolist()
    [[0.25, 0.5, 0.0]]
    """

    known: NDArray[np.bool_]

    def __call__(self, counts: sp.csr_array) -> sp.csr_array:
        """Shares of the known words."""
        return word_shares(_only(counts, self.known))


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
        counts = _only(counts, self.known)
        weights = counts.data.astype(np.float64)
        return self.weigh(sp.csr_array((weights, counts.indices, counts.indptr), shape=counts.shape))

    def weigh(self, counts: sp.csr_array) -> sp.csr_array:
        """The same in place, for counts of known words only as float64: a copy of many takes long."""
        for span in spans(counts.indptr):
            starts = counts.indptr[span.start : span.stop + 1]
            part = slice(starts[0], starts[-1])
            sizes = np.diff(starts)
            values = counts.data[part]  # a view: what is done to it is done to the counts
            _damp(values)
            values *= self.idf.take(counts.indices[part])
            lengths = np.sqrt(np.bincount(np.repeat(np.arange(len(sizes)), sizes), values**2, len(sizes)))
            lengths[lengths == 0] = 1.0
            values /= np.repeat(lengths, sizes)
        return counts

    def weigh_turned(self, counts: sp.csr_array) -> NDArray[np.float64]:
        """The same for counts with a row for each word and a column for each document.

        Words come in their order here too, so that every length is the same to the bit.

        >>> counts = sp.csr_array(np.array([[1.0, 2.0], [1.0, 0.0]]))
        >>> Tfidf(np.array([3.0, 4.0])).weigh_turned(counts).tolist()
        [0.6, 1.0, 0.8]
        """
        values = np.repeat(self.idf, np.diff(counts.indptr))
        often = np.flatnonzero(counts.data > 1)  # most words are there once, and the weight of those is their idf
        times = counts.data.take(often).astype(np.float64)
        _damp(times)
        values[often] *= times
        room = values**2
        lengths = np.sqrt(column_sums(room, counts))
        lengths[lengths == 0] = 1.0
        values /= lengths.take(counts.indices, out=room, mode="clip")  # else it would be copied
        return values


def column_sums(values: NDArray[np.float64], places: sp.csr_array) -> NDArray[np.float64]:
    """The sum of the values in each column, at the places of a sparse matrix; added up row after row.

    >>> column_sums(np.array([1.0, 2.0, 4.0]), sp.csr_array(np.array([[1.0, 1.0], [0.0, 1.0]]))).tolist()
    [1.0, 6.0]
    """
    # Times one, which rounds nothing; faster than bincount, which needs wider numbers of columns.
    turned = sp.csc_array((values, places.indices, places.indptr), shape=places.shape[::-1])
    return np.asarray(turned @ np.ones(places.shape[0]))


def _damp(counts: NDArray[np.float64]) -> None:
    """1 + log count, in place; most counts are small whole numbers, whose logarithms are known."""
    if counts.max(initial=0.0) < len(DAMPED):
        np.take(DAMPED, counts.astype(np.int32), out=counts, mode="clip")  # else it would be copied
    else:
        np.log(counts, out=counts)
        counts += 1.0


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
    documents = document_frequency(counts)
    held, total = (documents, counts.shape[0]) if weights is None else _weighed(counts, weights)
    idf = np.log((1 + total) / (1 + held)) + 1
    return np.where(documents >= least, idf, 0.0)


def _weighed(counts: sp.csr_array, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
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
