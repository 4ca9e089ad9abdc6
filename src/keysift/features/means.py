"""A document as the mean of its words' vectors: word vectors, and static vectors of word pieces."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.linear import Features
from keysift.features.rows import Shares, times
from keysift.features.view import PLAIN, SPREAD, Documents, FittedView, Part, Role, scale_of
from keysift.text.vocabulary import locate
from keysift.vectors.glove import load_glove
from keysift.vectors.pieces import load_pieces
from keysift.vectors.words import WordVectors, unit_rows

COMMON = 100_000

Factors: TypeAlias = Sequence[NDArray[np.float32] | sp.csr_array]
"""Matrices whose product has a unit vector for each word; a row of zeros for one that has none."""
Lookup: TypeAlias = Callable[[pl.Series], tuple[NDArray[np.bool_], Factors]]
"""From words to whether each is known, and the factors of their vectors."""


@dataclass(frozen=True, eq=False)
class WordView:
    """The mean of word vectors."""

    vectors: WordVectors
    role: Role = PLAIN
    name: str = "words"

    @property
    def vocabulary(self) -> pl.Series:
        """Words that have a score even if no training document holds them, the most frequent ones first."""
        return self.vectors.words

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """Mean vectors of the words that have one, every direction as important as any other."""
        return _fitted(documents.counts, words, self.look_up, even=True)

    def look_up(self, words: pl.Series) -> tuple[NDArray[np.bool_], Factors]:
        """Whether each word has a vector, and the factors of these."""
        rows = self.vectors.rows(words)
        known = rows >= 0
        matrix = np.zeros((len(words), self.vectors.matrix.shape[1]), dtype=np.float32)
        matrix[known] = self.vectors.matrix[rows[known]]
        return known, (unit_rows(matrix),)


@dataclass(frozen=True, eq=False)
class PieceView:
    """The mean of static vectors, each word spelled in pieces: every word has one."""

    role: Role = PLAIN
    name: str = "pieces"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """Mean vectors of all words."""
        return _fitted(documents.counts, words, self.look_up, even=False)

    def look_up(self, words: pl.Series) -> tuple[NDArray[np.bool_], Factors]:
        """Whether each word has a vector, and the factors of these."""
        return np.ones(len(words), dtype=bool), (_spelled(words), load_pieces().matrix)


def _spelled(words: pl.Series) -> sp.csr_array:
    """Words in pieces; a long list is mostly common words, which are spelled once in a process."""
    pieces = load_pieces()
    if len(words) < COMMON:
        return pieces.spell(words)
    common, spelled = _common()
    places = locate(words, common).copy()
    rare = np.flatnonzero(places < 0)
    places[rare] = len(common) + np.arange(len(rare))
    return sp.csr_array(sp.vstack([spelled, pieces.spell(words.gather(rare))], format="csr")[places])


@cache
def _common() -> tuple[pl.Series, sp.csr_array]:
    common = load_glove().words.head(COMMON)
    return common, load_pieces().spell(common)


@dataclass(frozen=True, eq=False)
class FittedMeans:
    """Mean vectors of the training documents."""

    X: Features
    words: pl.Series
    rows: Shares
    factors: Factors
    look_up: Lookup
    average: NDArray[np.float64]
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    memo: dict[int, tuple[pl.Series, NDArray[np.int64], NDArray[np.bool_], Factors]] = field(
        default_factory=dict, repr=False
    )
    """What was looked up for the words that get a score; they are the same for every fit."""

    def transform(self, documents: Documents) -> Features:
        """The same for other documents."""
        return (_means(self.rows(documents.counts), self.factors, self.average) - self.mean) * self.scale

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> Part:
        """A score for every word."""
        places, outside, factors = self._looked_up(words)
        own, others = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
        known, scores = np.empty(len(words), dtype=bool), np.empty(len(words))
        known[own], scores[own] = self.rows.known[places[own]], self._scores(coef, self.factors)[places[own]]
        known[others], scores[others] = outside, self._scores(coef, factors)
        return Part(Shares(known), np.where(known, scores, 0.0), offset=-float(self.mean @ (coef * self.scale)))

    def _looked_up(self, words: pl.Series) -> tuple[NDArray[np.int64], NDArray[np.bool_], Factors]:
        """Where each word is in the documents; of those that are not, whether each is known, and their factors."""
        if id(words) not in self.memo:
            places = locate(words, self.words)
            self.memo.clear()
            self.memo[id(words)] = (words, places, *self.look_up(words.gather(np.flatnonzero(places < 0))))
        return self.memo[id(words)][1:]

    def _scores(self, coef: NDArray[np.float64], factors: Factors) -> NDArray[np.float64]:
        """Scores of words, measured from the average word."""
        scores = coef * self.scale
        for factor in reversed(factors):
            scores = times(factor, scores)
        return scores - float(self.average @ (coef * self.scale))


def _fitted(counts: sp.csr_array, words: pl.Series, look_up: Lookup, *, even: bool) -> FittedView:
    known, factors = look_up(words)
    rows = Shares(known)
    frequency = np.where(known, np.bincount(counts.indices, counts.data, counts.shape[1]), 0.0)
    average = _times(sp.csr_array(frequency[None, :] / max(1.0, frequency.sum())), factors)[0]
    X = _means(rows(counts), factors, average)
    mean = X.mean(axis=0)
    scale = np.full(X.shape[1], scale_of(X, mean))
    if even:
        deviation = X.std(axis=0)
        scale = np.divide(SPREAD / np.sqrt(X.shape[1]), deviation, out=np.zeros_like(deviation), where=deviation > 1e-9)
    return FittedMeans((X - mean) * scale, words, rows, factors, look_up, average, mean, scale)


def _means(shares: sp.csr_array, factors: Factors, average: NDArray[np.float64]) -> NDArray[np.float64]:
    """Measured from the average word, which is taken off as often as the shares add up to."""
    return np.asarray(_times(shares, factors) - np.outer(shares.sum(axis=1), average))


def _times(shares: sp.csr_array, factors: Factors) -> NDArray[np.float64]:
    product: Any = shares
    for factor in factors:
        product = product @ factor
    return np.asarray(product, dtype=np.float64)  # the last factor is dense
