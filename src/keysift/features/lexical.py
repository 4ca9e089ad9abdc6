"""A document as its TF-IDF weights, and as their directions of greatest variance (LSA)."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.linear import Features
from keysift.features.rows import Tfidf, inverse_document_frequency, times
from keysift.features.view import PLAIN, Documents, FittedView, Part, Role, scale_of
from keysift.text.vocabulary import locate
from keysift.vectors.svd import randomized_svd

BLOCK = 50
"""Directions computed at a time."""


@dataclass(frozen=True, eq=False)
class TfidfView:
    """TF-IDF weights of the words in two or more documents, stop words left out of the features."""

    stop_words: frozenset[str] = frozenset()
    role: Role = PLAIN
    name: str = "tfidf"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """One feature per word."""
        rows = Tfidf(inverse_document_frequency(documents.counts))
        speaking = rows.known & ~words.is_in(list(self.stop_words)).to_numpy()
        return _fitted(documents.counts, words, rows, np.flatnonzero(speaking))


@dataclass(frozen=True, eq=False)
class LsaView:
    """The directions in which the TF-IDF weights of the documents vary most."""

    seed: int = 0
    size: int = 200
    role: Role = PLAIN
    name: str = "lsa"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """One feature per direction."""
        rows = Tfidf(inverse_document_frequency(documents.counts))
        kept = np.flatnonzero(rows.known)
        # Single precision is plenty for directions, and takes half of the time and room.
        weights = rows(documents.counts)[:, kept].astype(np.float32)
        size = min(self.size, *weights.shape)
        directions = np.zeros((len(kept), 0), dtype=np.float32)
        if size:
            directions = randomized_svd(weights, size, n_iter=3, random_state=self.seed)[2].T
        return _fitted(documents.counts, words, rows, kept, directions)


@dataclass(frozen=True, eq=False)
class FittedWeights:
    """TF-IDF weights of the training documents, or their directions."""

    X: Features
    words: pl.Series
    rows: Tfidf
    kept: NDArray[np.int64]
    """The words that are looked at."""
    directions: NDArray[np.float32] | None
    """A row for each of them; None where each is a feature itself."""
    mean: NDArray[np.float64]
    scale: float
    memo: dict[int, tuple[pl.Series, NDArray[np.int64]]] = field(default_factory=dict, repr=False)
    """Where the words that get a score are; they are the same for every fit."""

    def transform(self, documents: Documents) -> Features:
        """The same for other documents."""
        return _centred(_features(documents.counts, self.rows, self.kept, self.directions), self.mean, self.scale)

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> Part:
        """A score for every word."""
        own = np.zeros(len(self.words))
        own[self.kept] = coef * self.scale if self.directions is None else times(self.directions, coef * self.scale)
        if id(words) not in self.memo:
            self.memo.clear()
            self.memo[id(words)] = words, locate(words, self.words)
        _, places = self.memo[id(words)]
        known = places >= 0
        idf, scores = np.zeros(len(words)), np.zeros(len(words))
        idf[known] = self.rows.idf[places[known]]
        scores[known] = own[places[known]]
        return Part(Tfidf(idf), scores, offset=-self.scale * float(self.mean @ coef))


def _fitted(
    counts: sp.csr_array,
    words: pl.Series,
    rows: Tfidf,
    kept: NDArray[np.int64],
    directions: NDArray[np.float32] | None = None,
) -> FittedView:
    X = _features(counts, rows, kept, directions)
    mean = np.asarray(X.sum(axis=0)).ravel() / X.shape[0]
    scale = scale_of(X, mean)
    if sp.issparse(X):
        mean = np.zeros_like(mean)  # the risk sees only differences: sparse features can stay sparse
    return FittedWeights(_centred(X, mean, scale), words, rows, kept, directions, mean, scale)


def _features(
    counts: sp.csr_array, rows: Tfidf, kept: NDArray[np.int64], directions: NDArray[np.float32] | None
) -> Features:
    weights = rows(counts)[:, kept]
    if directions is None:
        return weights
    X = np.empty((counts.shape[0], directions.shape[1]))
    for start in range(0, directions.shape[1], BLOCK):  # in double precision, which takes room
        some = slice(start, start + BLOCK)
        X[:, some] = weights @ directions[:, some]
    return X


def _centred(X: Features, mean: NDArray[np.float64], scale: float) -> Features:
    return X * scale if isinstance(X, sp.csr_array) else (X - mean) * scale
