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

from keysift.metrics import auc_between, auc_deviation
from keysift.models import Features, LinearModel
from keysift.views import SPREAD, Documents, Reading

__all__ = ["Denial", "Denied", "find_denial"]

LEAST_FOUND = 0.55
"""The direction is followed if it finds documents with hidden keywords with at least this AUC."""
BY_CHANCE = 1.64
"""And so many standard deviations better than chance, which chance alone reaches once in twenty times."""
FEWEST = 10
"""So many documents are needed to tell."""
UNMOVED = 1e-4
"""An encoder that moves documents by less than this share of their deviation has heard nothing."""


@dataclass(frozen=True, eq=False)
class Denied:
    """Documents with a keyword: as they are, with every keyword denied, and with every keyword taken out."""

    places: NDArray[np.int64]
    """Which of all documents with a keyword they are."""
    as_they_are: Documents
    denied: Documents
    hidden: Documents


@dataclass(frozen=True, eq=False)
class Denial:
    """The sentence vectors seen in one direction, from a denied keyword to one that is not; a view of its own."""

    sentences: Reading
    direction: NDArray[np.float64]
    X: Features
    hidden: NDArray[np.float64]
    """The documents that were denied, their keywords hidden, each in the direction that the other half gives."""
    found: float
    """How well these are found among documents without a keyword: an AUC, or not a number."""
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
    """The view, and how well it finds documents among the `others`, which hold no keyword.

    A direction is made of documents and would find these in any case, so each half is looked for with the other's.
    """
    moved = np.asarray(sentences.features(said.as_they_are) - sentences.features(said.denied))
    direction = _of_deviation(moved.mean(axis=0), sentences.X)
    hidden = np.asarray(sentences.features(said.hidden))
    half = np.arange(len(moved)) % 2
    blind = np.zeros(len(moved))
    found = []
    for one in (0, 1) if len(moved) >= FEWEST and len(others) else ():
        theirs = _of_deviation(moved[half == one].mean(axis=0), sentences.X)
        blind[half != one] = hidden[half != one] @ theirs
        found.append(auc_between(blind[half != one], (sentences.X @ theirs)[others]))
    return Denial(
        sentences,
        direction,
        np.asarray(sentences.X @ direction)[:, None],
        blind[:, None],
        float(np.mean(found)) if found and direction.any() else float("nan"),
        max(LEAST_FOUND, 0.5 + BY_CHANCE * auc_deviation(len(moved), len(others))),
    )


def _of_deviation(direction: NDArray[np.float64], X: Features) -> NDArray[np.float64]:
    """The direction, so long that documents deviate along it as views do; none where it is rounding."""
    if np.linalg.norm(direction) < UNMOVED * SPREAD:
        return np.zeros_like(direction)
    deviation = float(np.std(X @ direction))
    return direction * (SPREAD / deviation) if deviation > 0 else np.zeros_like(direction)
