"""The two sets that a fit compares, and how much each document counts in its set."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Split:
    """The corrupted positive set, the rest, and a weight for each document."""

    positive: NDArray[np.bool_]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, positive: NDArray[np.bool_], similarity: NDArray[np.float64]) -> "Split":
        """The more similar to the keywords, the more a positive counts; one on average, as every negative.

        >>> Split.of(np.array([True, True, False]), np.array([0.75, 0.25, 0.0])).weights.tolist()
        [1.5, 0.5, 1.0]
        """
        return cls(positive, np.where(positive, similarity / similarity[positive].mean(), 1.0))

    def with_added(self, added: NDArray[np.bool_], weight: float) -> "Split":
        """Documents that self-training adds join the positive ones.

        >>> split = Split(np.array([True, False, False]), np.array([0.4, 1.0, 1.0]))
        >>> joined = split.with_added(np.array([True, True, False]), 0.5)
        >>> joined.positive.tolist(), joined.weights.tolist()
        ([True, True, False], [0.5, 0.5, 1.0])
        """
        keyword = np.where(self.positive, self.weights, 0.0)
        return Split(self.positive | added, np.where(added, np.maximum(keyword, weight), self.weights))

    def with_answers(self, answers: NDArray[np.int8], weight: float) -> "Split":
        """Documents with an answer, 1 or 0, go where it says, whatever else is known; -1 is no answer.

        >>> split = Split(np.array([True, True, False]), np.array([1.2, 0.8, 1.0]))
        >>> answered = split.with_answers(np.array([0, -1, 1], dtype=np.int8), 1.0)
        >>> answered.positive.tolist(), answered.weights.tolist()
        ([False, True, True], [1.0, 0.8, 1.0])
        """
        known = answers >= 0
        return Split(np.where(known, answers == 1, self.positive), np.where(known, weight, self.weights))

    def without(self, documents: NDArray[np.int64]) -> "Split":
        """Take some documents out of both sets: they become negatives without weight.

        >>> left = Split(np.array([True, False]), np.array([1.0, 1.0])).without(np.array([0]))
        >>> left.positive.tolist(), left.weights.tolist()
        ([False, False], [0.0, 1.0])
        """
        positive, weights = self.positive.copy(), self.weights.copy()
        positive[documents], weights[documents] = False, 0.0
        return Split(positive, weights)


def top_share(scores: NDArray[np.float64], share: float) -> NDArray[np.bool_]:
    """The documents in the top share of the scores, at least one and never all; ties by their place.

    >>> top_share(np.array([3.0, 1.0, 2.0, 1.0]), 0.5).tolist()
    [True, False, True, False]
    """
    count = min(max(1, round(share * len(scores))), len(scores) - 1)
    positive = np.zeros(len(scores), dtype=bool)
    positive[np.argsort(-scores, kind="stable")[:count]] = True
    return positive
