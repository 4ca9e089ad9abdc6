"""A linear score of mean word vectors, as one number a word.

The document's vector is the mean of its words' vectors, so a linear score of it is the mean of the words' own scores.
The table of these is all that scoring needs: no vectors, and every word that has one is known.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.vectors import WordVectors, centred_word_vectors, word_shares

__all__ = ["WordScores", "score_words"]

BLOCK = 50_000


@dataclass(frozen=True, eq=False)
class WordScores:
    """Words, and the score of each, measured from the average word.

    >>> model = WordScores(pl.Series(["good", "bad"]), np.array([3.0, -1.5]))
    >>> model.score(sp.csr_array(np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 0.0]]))).tolist()
    [2.0, 0.5, 0.0]
    """

    words: pl.Series
    scores: NDArray[np.float64]

    def score(self, counts: sp.csr_array) -> NDArray[np.float64]:
        """The mean of the scores of a document's words and of one average word, which has zero."""
        return np.asarray(word_shares(counts) @ self.scores)

    @property
    def floor(self) -> float:
        """Lower than any document with a word in it can score."""
        return min(0.0, float(self.scores.min(initial=0.0))) - 1.0


def score_words(vectors: WordVectors, coef: NDArray[np.float64], average: NDArray[np.float64]) -> WordScores:
    """Score every word that has a vector, whether the training documents hold it or not.

    >>> vectors = WordVectors("tiny", pl.Series(["a", "b"]), np.array([[2.0, 0.0], [0.0, 1.0]], dtype=np.float32))
    >>> score_words(vectors, np.array([1.0, -1.0]), np.array([0.5, 0.0])).scores.tolist()
    [0.5, -1.5]
    """
    scores = np.empty(len(vectors))
    for start in range(0, len(vectors), BLOCK):
        part = slice(start, start + BLOCK)
        scores[part] = centred_word_vectors(vectors.matrix[part], average) @ coef
    return WordScores(vectors.words, scores)
