"""A document as the vector that a sentence encoder gives it."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.features.linear import Features, LinearModel
from keysift.features.view import SENTENCES, Documents, FittedView, Role, scale_of


@dataclass(frozen=True, eq=False)
class SentenceView:
    """Sentence vectors, from an encoder or precomputed."""

    role: Role = SENTENCES
    name: str = "sentences"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """The vectors as they are, centred; documents that were not encoded stand in the middle."""
        vectors = _vectors(documents)
        known = ~np.isnan(vectors[:, 0])
        mean = vectors[known].mean(axis=0) if known.any() else np.zeros(vectors.shape[1])
        scale = scale_of(vectors[known], mean) if known.any() else 0.0
        return FittedSentences(_centred(vectors, mean, scale), known, mean, scale)


@dataclass(frozen=True, eq=False)
class FittedSentences:
    """Sentence vectors of the training documents."""

    X: Features
    known: NDArray[np.bool_]
    """Which documents were encoded."""
    mean: NDArray[np.float64]
    scale: float

    def transform(self, documents: Documents) -> Features:
        """The same for other documents."""
        return _centred(_vectors(documents), self.mean, self.scale)

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> LinearModel:
        """A score of the sentence vector."""
        return LinearModel(coef * self.scale, offset=-self.scale * float(self.mean @ coef))


def _vectors(documents: Documents) -> NDArray[np.float64]:
    assert documents.vectors is not None, "the classifier encodes the documents"
    return documents.vectors.astype(np.float64)


def _centred(vectors: NDArray[np.float64], mean: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    return np.nan_to_num((vectors - mean) * scale, nan=0.0)
