"""The two sets of scores that a risk compares, with weights that add up to one."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from keysift.errors import InputError

Scores: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class Sides:
    """The scores of a positive and a negative set, and the normalised weights of both.

    Make one with `of`, which normalises the weights; `at` keeps them for other scores.

    >>> sides = Sides.of(np.array([2.0, 3.0]), np.array([1.0]), positive_weights=np.array([1.0, 3.0]))
    >>> sides.positive_weights.tolist(), sides.negative_weights.tolist()
    ([0.25, 0.75], [1.0])
    """

    positive: Scores
    negative: Scores
    positive_weights: NDArray[np.float64]
    negative_weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        # A single weight would be spread over all scores without a word.
        _check_shape("positive", self.positive, self.positive_weights)
        _check_shape("negative", self.negative, self.negative_weights)

    @classmethod
    def of(
        cls,
        positive: Scores,
        negative: Scores,
        positive_weights: Weights = None,
        negative_weights: Weights = None,
    ) -> "Sides":
        """Two sets of scores with weights of any scale; equal weights by default."""
        if not len(positive) or not len(negative):
            raise InputError(
                f"A risk compares two sets of one or more scores; got {len(positive)} positive and {len(negative)}"
                " negative ones."
            )
        for name, scores in (("positive", positive), ("negative", negative)):
            if np.isnan(np.min(scores)):  # one NaN makes the least NaN, and a pass less than to look at each
                missing = int(np.isnan(scores).sum())
                raise InputError(
                    f"A risk compares numbers, but {missing} of {len(scores)} {name} scores are NaN; drop those"
                    " documents, or find out what made their scores NaN."
                )
        return cls(
            positive,
            negative,
            normalised(positive_weights, len(positive)),
            normalised(negative_weights, len(negative)),
        )

    def at(self, positive: Scores, negative: Scores) -> "Sides":
        """The same documents with other scores; the weights stay as they are.

        >>> Sides.of(np.array([2.0]), np.array([1.0])).at(np.array([5.0]), np.array([4.0])).positive.tolist()
        [5.0]
        """
        return Sides(positive, negative, self.positive_weights, self.negative_weights)


def normalised(weights: Weights, size: int) -> NDArray[np.float64]:
    """Weights that add up to one; equal ones by default.

    >>> normalised(np.array([1.0, 3.0]), 2).tolist(), normalised(None, 2).tolist()
    ([0.25, 0.75], [0.5, 0.5])
    """
    if weights is None:
        return np.full(size, 1.0 / size)
    weights = np.asarray(weights, dtype=np.float64)
    return np.asarray(weights / weights.sum())


def _check_shape(name: str, scores: Scores, weights: NDArray[np.float64]) -> None:
    if scores.shape != weights.shape:
        raise InputError(
            f"The {name} set needs one weight for each score; got scores of shape {scores.shape} and weights of shape"
            f" {weights.shape}."
        )
