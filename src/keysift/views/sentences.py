"""A document as the vector that a sentence encoder gives it."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.models import Features, LinearModel
from keysift.views.reading import Documents, Reading, scale_of

__all__ = ["SentenceView"]


@dataclass(frozen=True, eq=False)
class SentenceView:
    """Sentence vectors, from an encoder or precomputed."""

    name: str = "encoder"

    def read(self, documents: Documents, words: pl.Series) -> Reading:
        """The vectors as they are, centred."""
        vectors = _vectors(documents)
        mean = vectors.mean(axis=0)
        scale = scale_of(vectors, mean)
        return _Sentences((vectors - mean) * scale, mean, scale)


@dataclass(frozen=True, eq=False)
class _Sentences:
    X: Features
    mean: NDArray[np.float64]
    scale: float

    def features(self, documents: Documents) -> Features:
        return (_vectors(documents) - self.mean) * self.scale

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> LinearModel:
        return LinearModel(coef * self.scale, offset=-self.scale * float(self.mean @ coef))


def _vectors(documents: Documents) -> NDArray[np.float64]:
    assert documents.vectors is not None, "the classifier encodes the documents"
    return documents.vectors.astype(np.float64)
