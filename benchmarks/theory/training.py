"""Theorem 1 while a linear score is trained: every part of the corrupted risk after every so many steps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.theory.sample import Sample
from keysift.learn.linear_fit import fit_linear
from keysift.risk.losses import Loss, get_loss
from keysift.risk.pairs import Method
from keysift.risk.pairwise import pairwise_risk
from keysift.risk.sides import Sides
from keysift.theory.excess import RiskParts, split_corrupted_sets

__all__ = ["Moment", "fitted", "look", "training_path"]

L2 = 0.15
"""keysift's default."""
RATE = 0.02
"""Small steps of plain gradient descent, so that there is a way to look at; L-BFGS is there after ten."""
STEPS = (0, 1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 1000)


@dataclass(frozen=True)
class Moment:
    """What the risk is made of, and how good the ranking is, after a number of steps."""

    step: int
    parts: RiskParts
    clean_auc: float
    """Of the test documents, by their true labels."""
    corrupted_auc: float
    """Of the training documents, by their pseudo-labels."""


def training_path(sample: Sample, loss: Loss) -> list[Moment]:
    """Gradient descent on the corrupted risk and the penalty, from w = 0, which it follows to keysift's own fit."""
    X, positive = sample.X, sample.pseudo
    w, path = np.zeros(X.shape[1]), []
    for step in range(max(STEPS) + 1):
        if step in STEPS:
            path.append(look(sample, loss, w, step))
        scores = X @ w
        risk = pairwise_risk(loss, Sides.of(scores[positive], scores[~positive]))
        gradient = risk.positive_gradient @ X[positive] + risk.negative_gradient @ X[~positive]
        w = w - RATE * (gradient + L2 * w)
    return path


def fitted(sample: Sample, loss: Loss) -> NDArray[np.float64]:
    """The weights of keysift's fit."""
    return fit_linear(sample.X, sample.pseudo, loss, l2=L2, standardize=False)[0].coef


def look(sample: Sample, loss: Loss, w: NDArray[np.float64], step: int = 0, risk: Method = pairwise_risk) -> Moment:
    """Theorem 1 on the training documents, and the AUC of both kinds."""
    scores, test_scores = sample.X @ w, sample.X_test @ w
    cp, true, zero_one = sample.pseudo, sample.test_labels == 1, get_loss("zero_one")
    return Moment(
        step,
        split_corrupted_sets(loss, scores[cp], sample.labels[cp], scores[~cp], sample.labels[~cp], risk=risk),
        clean_auc=1 - pairwise_risk(zero_one, Sides.of(test_scores[true], test_scores[~true])).value,
        corrupted_auc=1 - pairwise_risk(zero_one, Sides.of(scores[cp], scores[~cp])).value,
    )
