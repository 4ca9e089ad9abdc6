"""A document as the mean of its words' vectors, measured from the average word."""

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.vectors.words import unit_rows

__all__ = ["average_word", "centred_word_vectors", "document_vectors", "word_shares"]


def word_shares(counts: sp.csr_array) -> sp.csr_array:
    """The share of each word in each document, when one average word more is in it.

    The average word is the zero of all vectors and scores. It keeps a document of a single word from standing at the
    very top or bottom, and gives one without any known word a place in the middle.

    >>> word_shares(sp.csr_array(np.array([[1.0, 2.0], [0.0, 0.0]]))).toarray().tolist()
    [[0.25, 0.5], [0.0, 0.0]]
    """
    lengths = np.asarray(counts.sum(axis=1, dtype=np.float64)).ravel()
    shares = counts.data / np.repeat(lengths + 1.0, np.diff(counts.indptr))
    return sp.csr_array((shares, counts.indices, counts.indptr), shape=counts.shape)


def average_word(counts: sp.csr_array, matrix: NDArray[np.float32]) -> NDArray[np.float64]:
    """Mean of the unit vectors of all words of all documents.

    >>> counts = sp.csr_array(np.array([[1.0, 0.0], [2.0, 1.0]]))
    >>> average_word(counts, np.array([[2.0, 0.0], [0.0, 3.0]], dtype=np.float32)).tolist()
    [0.75, 0.25]
    """
    frequency = np.bincount(counts.indices, counts.data, counts.shape[1])
    return np.asarray(frequency @ unit_rows(matrix).astype(np.float64) / max(1.0, frequency.sum()))


def centred_word_vectors(matrix: NDArray[np.float32], average: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vectors of the words, measured from the average word.

    >>> centred_word_vectors(np.array([[2.0, 0.0]], dtype=np.float32), np.array([0.75, 0.25])).tolist()
    [[0.25, -0.25]]
    """
    return np.asarray(unit_rows(matrix) - average)


def document_vectors(
    counts: sp.csr_array, matrix: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean vector of each document, and the average word it is measured from.

    >>> counts = sp.csr_array(np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> vectors, average = document_vectors(counts, np.array([[2.0, 0.0], [0.0, 3.0]], dtype=np.float32))
    >>> vectors.tolist(), average.tolist()
    ([[0.25, -0.25], [-0.25, 0.25]], [0.5, 0.5])
    """
    average = average_word(counts, matrix)
    return np.asarray(word_shares(counts) @ centred_word_vectors(matrix, average)), average
