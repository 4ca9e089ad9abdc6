"""A document as its TF-IDF weights, and as their directions of greatest variance (LSA)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.models import Features
from keysift.text import locate
from keysift.views.reading import Documents, Part, Reading, scale_of
from keysift.views.rows import Tfidf, inverse_document_frequency

__all__ = ["LsaView", "TfidfView"]


@dataclass(frozen=True, eq=False)
class TfidfView:
    """TF-IDF weights of the words in two or more documents, stop words left out of the features."""

    stop_words: frozenset[str] = frozenset()
    name: str = "tfidf"

    def read(self, documents: Documents, words: pl.Series) -> Reading:
        """One feature a word."""
        counts = documents.counts
        rows = Tfidf(inverse_document_frequency(counts))
        speaking = rows.known & ~words.is_in(list(self.stop_words)).to_numpy()
        kept = np.flatnonzero(speaking)
        basis = sp.csr_array((np.ones(len(kept)), (kept, np.arange(len(kept)))), shape=(len(words), len(kept)))
        return _read(counts, words, rows, basis)


@dataclass(frozen=True, eq=False)
class LsaView:
    """The directions in which the TF-IDF weights of the documents vary most."""

    seed: int = 0
    size: int = 200
    name: str = "lsa"

    def read(self, documents: Documents, words: pl.Series) -> Reading:
        """One feature a direction."""
        from sklearn.utils.extmath import randomized_svd

        counts = documents.counts
        rows = Tfidf(inverse_document_frequency(counts))
        weights = rows(counts)
        kept = np.flatnonzero(rows.known)
        size = min(self.size, len(kept), counts.shape[0])
        directions = np.zeros((len(words), size))
        if size:
            directions[kept] = randomized_svd(weights[:, kept], size, n_iter=3, random_state=self.seed, flip_sign=True)[
                2
            ].T
        return _read(counts, words, rows, directions)


@dataclass(frozen=True, eq=False)
class _Weights:
    X: Features
    words: pl.Series
    rows: Tfidf
    basis: NDArray[np.float64] | sp.csr_array
    mean: NDArray[np.float64]
    scale: float

    def features(self, documents: Documents) -> Features:
        X: Any = self.rows(documents.counts) @ self.basis
        return _centred(X, self.mean, self.scale)

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> Part:
        places = locate(words, self.words)
        known = places >= 0
        idf, scores = np.zeros(len(words)), np.zeros(len(words))
        idf[known] = self.rows.idf[places[known]]
        scores[known] = (self.basis @ (coef * self.scale))[places[known]]
        return Part(Tfidf(idf), scores, offset=-self.scale * float(self.mean @ coef))


def _read(counts: sp.csr_array, words: pl.Series, rows: Tfidf, basis: NDArray[np.float64] | sp.csr_array) -> Reading:
    X: Any = rows(counts) @ basis
    mean = np.asarray(X.sum(axis=0)).ravel() / X.shape[0]
    scale = scale_of(X, mean)
    if sp.issparse(X):
        mean = np.zeros_like(mean)  # the risk sees only differences: sparse features can stay sparse
    return _Weights(_centred(X, mean, scale), words, rows, basis, mean, scale)


def _centred(X: Features, mean: NDArray[np.float64], scale: float) -> Features:
    return X * scale if isinstance(X, sp.csr_array) else (X - mean) * scale
