"""What a sentence vector loses when its keywords are denied: "not good" in place of "good".

Keywords that judge ("great", "support") have an opposite, and documents on the other side rarely hold it in so many
words. A sentence encoder knows it all the same: the way from documents with a keyword to the same documents with the
keyword denied is the way from one side to the other. Topics have no opposite, and there the way leads nowhere. Which of
the two it is can be seen without a label: documents whose keywords are hidden should lie ahead of those without one.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.models import Features, LinearModel
from keysift.views import SPREAD, Documents, Reading

__all__ = ["Denial", "Denied", "find_denial"]

LEAST_FOUND = 0.55
"""The direction is followed if it finds documents with hidden keywords with at least this AUC."""
BY_CHANCE = 1.64 / np.sqrt(12)
"""And with more than a half and this by the root of their number, which chance alone gives once in twenty times."""
FEWEST = 10
"""So many documents are needed to tell."""


@dataclass(frozen=True, eq=False)
class Denied:
    """Documents with a keyword: as they are, with every keyword denied, and with every keyword taken out."""

    as_they_are: Documents
    denied: Documents
    hidden: Documents


@dataclass(frozen=True, eq=False)
class Denial:
    """The sentence vectors seen in one direction, from a denied keyword to one that is not; a view of its own."""

    sentences: Reading
    direction: NDArray[np.float64]
    X: Features
    found: float
    """How well the direction of one half of the documents finds the other half, hidden: an AUC, or not a number."""
    least: float
    """What that must be."""

    @property
    def leads(self) -> bool:
        """Whether the direction is worth following."""
        return self.found >= self.least

    def features(self, documents: Documents) -> Features:
        """How far other documents are in this direction."""
        return np.asarray(self.sentences.features(documents) @ self.direction)[:, None]

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> LinearModel:
        """A score of the sentence vector."""
        part = self.sentences.part(self.direction * coef[0], words)
        assert isinstance(part, LinearModel)
        return part


def find_denial(sentences: Reading, said: Denied, others: NDArray[np.int64]) -> Denial:
    """The view, and how well it finds documents among the `others`, which hold no keyword."""
    moved = np.asarray(sentences.features(said.as_they_are) - sentences.features(said.denied))
    found = float("nan")
    if len(moved) >= FEWEST and len(others):
        hidden, rest = sentences.features(said.hidden), sentences.X[others]
        half = np.arange(len(moved)) % 2
        found = float(np.mean([_auc(moved[half == one].mean(axis=0), hidden[half != one], rest) for one in (0, 1)]))
    direction = moved.mean(axis=0)
    deviation = float(np.std(sentences.X @ direction))
    direction = direction * (SPREAD / deviation) if deviation > 0 else direction
    least = max(LEAST_FOUND, 0.5 + BY_CHANCE / np.sqrt(len(moved)))
    return Denial(sentences, direction, np.asarray(sentences.X @ direction)[:, None], found, least)


def _auc(direction: NDArray[np.float64], found: Features, rest: Features) -> float:
    scores = np.concatenate([found @ direction, rest @ direction])
    return float(roc_auc_score(np.arange(len(scores)) < found.shape[0], scores))
