"""A document as the mean of its words' vectors, measured from the average word: the features of the paper's reading."""

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.rows import word_shares
from keysift.vectors.words import unit_rows

__all__ = ["average_word", "centred_word_vectors", "document_vectors"]


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
