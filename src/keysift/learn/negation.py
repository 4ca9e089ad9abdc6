"""The direction from negated copies ("not good") to plain documents ("good"), as a view of sentence vectors.

Keywords that judge ("great", "support") have an opposite, and documents on the other side rarely spell it out. A
sentence encoder knows it all the same: the step from a document to its negated copy leads from one side to the other.
Topics have no opposite, and there the step leads nowhere. Which of the two it is can be measured without a label:
documents whose keywords are masked should lie further along the direction than documents without a keyword.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.features.linear import Features, LinearModel
from keysift.features.view import SPREAD, Documents, FittedView
from keysift.metrics import auc_between, auc_deviation

UNMOVED = 1e-4
"""An encoder that moves documents by less than this share of their deviation does not react to the negation."""


@dataclass(frozen=True, eq=False)
class NegatedCopies:
    """Documents with a keyword as they are, with every keyword negated, and with every keyword masked."""

    places: NDArray[np.int64]
    """Which of all documents with a keyword they are."""
    plain: Documents
    negated: Documents
    masked: Documents


@dataclass(frozen=True, eq=False)
class Negation:
    """Sentence vectors along one direction, from negated to plain copies; a view of its own."""

    sentences: FittedView
    direction: NDArray[np.float64]
    X: Features
    masked: NDArray[np.float64]
    """The documents that were negated, keywords masked, each along the direction that the other half gives."""
    found: float
    """How well these are found among documents without a keyword: an AUC, or NaN."""
    least: float
    """The least AUC at which the direction is followed."""

    @property
    def leads(self) -> bool:
        """Whether the direction is worth following."""
        return self.found >= self.least

    def transform(self, documents: Documents) -> Features:
        """How far other documents lie along the direction."""
        return np.asarray(self.sentences.transform(documents) @ self.direction)[:, None]

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> LinearModel:
        """A score of the sentence vector."""
        part = self.sentences.part(self.direction * coef[0], words)
        assert isinstance(part, LinearModel)
        return part


def find_negation(
    sentences: FittedView, copies: NegatedCopies, others: NDArray[np.int64], config: LearnConfig = DEFAULT
) -> Negation:
    """The view, and how well it finds documents among the `others`, which hold no keyword.

    A direction finds the documents it is made of in any case, so each half is looked for with that of the other half.
    """
    moved = np.asarray(sentences.transform(copies.plain) - sentences.transform(copies.negated))
    direction = _of_deviation(moved.mean(axis=0), sentences.X)
    masked = np.asarray(sentences.transform(copies.masked))
    half = np.arange(len(moved)) % 2
    blind = np.zeros(len(moved))
    found = []
    for one in (0, 1) if len(moved) >= config.fewest_negated and len(others) else ():
        theirs = _of_deviation(moved[half == one].mean(axis=0), sentences.X)
        blind[half != one] = masked[half != one] @ theirs
        found.append(auc_between(blind[half != one], (sentences.X @ theirs)[others]))
    return Negation(
        sentences,
        direction,
        np.asarray(sentences.X @ direction)[:, None],
        blind[:, None],
        float(np.mean(found)) if found and direction.any() else float("nan"),
        max(config.negation_auc, 0.5 + config.negation_deviations * auc_deviation(len(moved), len(others))),
    )


def _of_deviation(direction: NDArray[np.float64], X: Features) -> NDArray[np.float64]:
    """The direction, scaled so that documents deviate along it as in any view; zero where it is only rounding."""
    if np.linalg.norm(direction) < UNMOVED * SPREAD:
        return np.zeros_like(direction)
    deviation = float(np.std(X @ direction))
    return direction * (SPREAD / deviation) if deviation > 0 else np.zeros_like(direction)
