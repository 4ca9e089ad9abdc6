"""Vectors beside those of the original: how near they are, and how well they rank."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.encoding import minilm

__all__ = ["Cosines", "cosines", "keyword_auc", "word_pieces"]


@dataclass(frozen=True)
class Cosines:
    """How near two sets of vectors of length 1 are, document by document."""

    mean: float
    median: float
    smallest: float


def cosines(ours: NDArray[np.float32], original: NDArray[np.float32]) -> Cosines:
    """The cosine of each document's two vectors.

    >>> cosines(np.array([[1, 0], [0, 1]], dtype=np.float32), np.array([[1, 0], [0.8, 0.6]], dtype=np.float32))
    Cosines(mean=0.8, median=0.8, smallest=0.6)
    """
    found = (ours.astype(np.float64) * original).sum(axis=1).round(6)
    return Cosines(float(found.mean()), float(np.median(found)), float(found.min()))


def keyword_auc(
    vectors: NDArray[np.float32], texts: Sequence[str], keywords: Sequence[str], labels: NDArray[np.int64]
) -> float:
    """The AUC of the simplest ranking: along the mean of the documents with a keyword minus the mean of the others.

    >>> vectors = np.array([[1, 0], [0, 1], [0.9, 0], [0, 0.8]], dtype=np.float32)
    >>> keyword_auc(vectors, ["a goal", "a law", "a match", "a tax"], ["goal"], np.array([1, 0, 1, 0]))
    1.0
    """
    from sklearn.metrics import roc_auc_score

    has = np.array([not set(keywords).isdisjoint(text.lower().split()) for text in texts])
    direction = vectors[has].mean(axis=0) - vectors[~has].mean(axis=0)
    return float(roc_auc_score(labels, vectors @ direction))


def word_pieces(texts: Sequence[str]) -> int:
    """How many word pieces of the texts are read.

    >>> word_pieces(["a goal"])
    4
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(minilm.FOLDER / "tokenizer.json"))
    tokenizer.enable_truncation(minilm.PIECES)
    return sum(len(tokenizer.encode(text[: minilm.CHARACTERS]).ids) for text in texts)
