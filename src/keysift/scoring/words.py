"""The linear model: a score for every word, and a document has the mean of its words'."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import KeysiftWarning
from keysift.evidence import contributions
from keysift.learnable import check_sets
from keysift.losses import Loss
from keysift.modelfile import Arrays, pack_words, unpack_words
from keysift.models import WordScores, score_words
from keysift.settings import Settings
from keysift.text import Tokens, count_words, locate, recolumn
from keysift.training import History, fit_linear
from keysift.vectors import WordVectors, document_vectors

__all__ = ["WordScorer", "fit_words"]


@dataclass(frozen=True, eq=False)
class WordScorer:
    """Scores documents by their words' scores; the contributions of the words add up to the score."""

    model: WordScores

    @property
    def words(self) -> pl.Series:
        """Every word that has a vector."""
        return self.model.words

    @property
    def floor(self) -> float:
        """Lower than any document with a word in it can score."""
        return self.model.floor

    def prepare(self, tokens: Tokens, counts: sp.csr_array | None = None) -> sp.csr_array:
        """Counts of the words that have a score."""
        counts = count_words(tokens) if counts is None else counts
        return recolumn(counts, locate(tokens.words, self.words), len(self.words))

    def score(self, prepared: sp.csr_array) -> NDArray[np.float64]:
        """The mean of the words' scores."""
        return self.model.score(prepared)

    def explain(self, prepared: sp.csr_array, scores: NDArray[np.float64]) -> sp.csr_array:
        """The share of each word in the mean."""
        return contributions(prepared, self.model.scores)

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """The words and their scores."""
        words = {f"words.{name}": array for name, array in pack_words(self.words).items()}
        return {"word_scores": self.model.scores, **words}, {}

    @classmethod
    def restore(cls, arrays: Arrays) -> "WordScorer":
        """From what `save` gave."""
        words = unpack_words({"bytes": arrays["words.bytes"], "ends": arrays["words.ends"]})
        if len(words) != len(arrays["word_scores"]):
            raise KeyError("word_scores")
        return cls(WordScores(words, arrays["word_scores"]))


def fit_words(
    tokens: Tokens,
    counts: sp.csr_array,
    vectors: WordVectors,
    positive: NDArray[np.bool_],
    loss: Loss,
    settings: Settings,
) -> tuple[WordScorer, History]:
    """All pairs of the two sets, on the mean word vectors of the documents."""
    rows = vectors.rows(tokens.words)
    known = np.flatnonzero(rows >= 0)
    counts = counts[:, known]
    X, average = document_vectors(counts, vectors.matrix[rows[known]])
    usable = np.diff(counts.indptr) > 0
    check_sets(positive[usable], vectors.name)
    model, history = fit_linear(
        X[usable], positive[usable], loss, l2=settings.l2, max_iter=settings.max_iter, tol=settings.tol
    )
    if history.steps >= settings.max_iter:
        warnings.warn(
            f"The fit stopped after {history.steps} steps without arriving; raise max_iter or l2.",
            KeysiftWarning,
            stacklevel=4,
        )
    return WordScorer(score_words(vectors, model.coef, average)), history
