"""A document as the TF-IDF weights of its words."""

from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.rows import Tfidf, inverse_document_frequency
from keysift.features.view import PLAIN, Documents, FittedView, Part, Role, scale_of
from keysift.text.vocabulary import locate


@dataclass(frozen=True, eq=False)
class WordView:
    """TF-IDF weights of the words in two or more documents."""

    role: Role = PLAIN
    name: str = "words"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """One feature per word."""
        rows = Tfidf(inverse_document_frequency(documents.counts, weights=documents.weights))
        kept = np.flatnonzero(rows.known)
        X, scale = scaled(chosen_columns(rows(documents.counts), kept))
        return FittedWords(X, words, rows, kept, scale)


@dataclass(frozen=True, eq=False)
class FittedWords:
    """TF-IDF weights of the training documents."""

    X: sp.csr_array
    words: pl.Series
    rows: Tfidf
    kept: NDArray[np.int64]
    """The words that are looked at."""
    scale: float

    def transform(self, documents: Documents) -> sp.csr_array:
        """The same for other documents."""
        X = chosen_columns(self.rows(documents.counts), self.kept)
        X.data *= self.scale
        return X

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> Part:
        """A score for every word."""
        own = np.zeros(len(self.words))
        own[self.kept] = coef * self.scale
        if words is self.words:
            return Part(self.rows, own, 0.0)
        places = locate(words, self.words)
        known = places >= 0
        idf, scores = np.zeros(len(words)), np.zeros(len(words))
        idf[known], scores[known] = self.rows.idf[places[known]], own[places[known]]
        return Part(Tfidf(idf), scores, 0.0)


def chosen_columns(X: sp.csr_array, kept: NDArray[np.int64]) -> sp.csr_array:
    """Some of the columns, where the others are empty, so that numbering them anew is all there is to do.

    >>> chosen_columns(sp.csr_array(np.array([[0.0, 3.0, 1.0]])), np.array([1, 2])).toarray().tolist()
    [[3.0, 1.0]]
    """
    places = np.zeros(X.shape[1], dtype=X.indices.dtype)
    places[kept] = np.arange(len(kept))
    return sp.csr_array((X.data, places[X.indices], X.indptr), shape=(X.shape[0], len(kept)))


def scaled(X: sp.csr_array) -> tuple[sp.csr_array, float]:
    """The features at the deviation of every view, in place; the risk sees only differences, so they stay sparse."""
    scale = scale_of(X, np.asarray(X.sum(axis=0)).ravel() / X.shape[0])
    X.data *= scale
    return X, scale
