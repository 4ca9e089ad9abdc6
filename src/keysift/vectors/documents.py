"""A document as the mean of its words' vectors."""

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.vectors.words import unit_rows

__all__ = ["centred_word_vectors", "document_vectors", "known_lengths"]


def centred_word_vectors(counts: sp.csr_array, matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit vectors of the words, measured from the average word of the documents.

    >>> counts = sp.csr_array(np.array([[1.0, 1.0]]))
    >>> centred_word_vectors(counts, np.array([[2.0, 0.0], [0.0, 3.0]], dtype=np.float32)).tolist()
    [[0.5, -0.5], [-0.5, 0.5]]
    """
    unit = unit_rows(matrix)
    frequency = np.bincount(counts.indices, counts.data, counts.shape[1])
    average = frequency @ unit.astype(np.float64) / max(1.0, frequency.sum())
    return np.asarray(unit - average, dtype=np.float32)


def document_vectors(counts: sp.csr_array, centred: NDArray[np.float32]) -> NDArray[np.float64]:
    """Mean of the centred word vectors of each document and of one average word more.

    The average word is the zero vector. It keeps a document of a single word from standing at the very top or
    bottom, and gives one without any known word a place in the middle.

    >>> counts = sp.csr_array(np.array([[1.0, 2.0], [0.0, 0.0]]))
    >>> document_vectors(counts, np.array([[0.0, 4.0], [4.0, 0.0]], dtype=np.float32)).tolist()
    [[2.0, 1.0], [0.0, 0.0]]
    """
    sums = counts.astype(np.float64) @ centred.astype(np.float64)
    return np.asarray(sums / (known_lengths(counts) + 1.0)[:, None])


def known_lengths(counts: sp.csr_array) -> NDArray[np.float64]:
    """How many counted words each document has."""
    return np.asarray(counts.sum(axis=1, dtype=np.float64)).ravel()
