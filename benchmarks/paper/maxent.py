"""NLTK's maximum entropy model, trained by generalised iterative scaling, on a sparse presence matrix.

NLTK has a joint feature for every word and label that occur together, and a correction feature that fills every
document up to the same total C, the number of words and one. Weights are in bits. A step moves each weight by
log2(observed / expected) / C: with a large vocabulary a hundred steps move it little, which is part of what is
reproduced.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.paper.naive_bayes import probability

__all__ = ["STEPS", "Maxent", "fit_maxent"]

STEPS = 99
"""NLTK's max_iter of 100 stops when the counter, which starts at one, arrives there."""


@dataclass(frozen=True, eq=False)
class Maxent:
    """A weight for each label (row: False, True) and word, and one for the correction feature."""

    attested: NDArray[np.float64]
    """1 where the label and the word occur together, else 0: such a pair is no feature."""
    weights: NDArray[np.float64]
    correction: float

    def score(self, presence: sp.csr_array) -> NDArray[np.float64]:
        """P(True | the words of each document)."""
        return self._score(presence, _rest(presence, self.attested))

    def _score(self, presence: sp.csr_array, rest: NDArray[np.float64]) -> NDArray[np.float64]:
        false, true = (presence @ (self.weights * self.attested).T + self.correction * rest).T
        return probability(true, false)


def fit_maxent(presence: sp.csr_array, labels: NDArray[np.bool_], steps: int = STEPS) -> Maxent:
    """As MaxentClassifier.train(algorithm="gis") on {word: True} features."""
    by_label = np.stack([~labels, labels]).astype(np.float64)
    observed = np.asarray(by_label @ presence)
    attested = (observed > 0).astype(np.float64)
    rest = _rest(presence, attested)
    observed_rest = float((rest * by_label.T).sum())
    rate = 1.0 / (presence.shape[1] + 1)
    transposed = sp.csr_array(presence.T)
    model = Maxent(attested, np.zeros_like(attested), 0.0)
    for _ in range(steps):
        true = model._score(presence, rest)
        shares = np.stack([1.0 - true, true], axis=1)
        expected = np.asarray(transposed @ shares).T
        moves = np.log2(np.divide(observed, expected, out=np.ones_like(observed), where=attested > 0))
        move = np.log2(observed_rest / float((rest * shares).sum()))
        model = Maxent(attested, model.weights + rate * moves, model.correction + rate * float(move))
    return model


def _rest(presence: sp.csr_array, attested: NDArray[np.float64]) -> NDArray[np.float64]:
    """The value of the correction feature of each document (row) with each label (column)."""
    return np.asarray(presence.shape[1] + 1 - presence @ attested.T)
