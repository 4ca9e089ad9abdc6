"""A document as the mean of its words' vectors, measured from the average word."""

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.vectors.words import unit_rows

__all__ = ["average_word", "centred_word_vectors", "document_vectors", "known_lengths"]


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


def document_vectors(counts: sp.csr_array, centred: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of the centred word vectors of each document and of one average word more.

    The average word is the zero vector. It keeps a document of a single word from standing at the very top or
    bottom, and gives one without any known word a place in the middle.

    >>> counts = sp.csr_array(np.array([[1.0, 2.0], [0.0, 0.0]]))
    >>> document_vectors(counts, np.array([[0.0, 4.0], [4.0, 0.0]])).tolist()
    [[2.0, 1.0], [0.0, 0.0]]
    """
    return np.asarray(counts.astype(np.float64) @ centred / (known_lengths(counts) + 1.0)[:, None])


def known_lengths(counts: sp.csr_array) -> NDArray[np.float64]:
    """How many counted words each document has."""
    return np.asarray(counts.sum(axis=1, dtype=np.float64)).ravel()
