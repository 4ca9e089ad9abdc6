"""Ways of learning: from the keywords alone, from what the views believe, or from what neighbours hold."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from keysift.learning.across import Fits, Plan, Split, ViewFit, fit_again, scaled, self_train
from keysift.learning.neighbours import Neighbours
from keysift.views import Reading

__all__ = ["ALONE", "NEAR", "Way", "learn", "seeds"]

NEAR_L2 = 0.01
"""Neighbours are alike in rare words, names and turns of phrase, and these are to be learned: little penalty."""
NEAR_WEIGHTS = {"words": 0.5, "pieces": 0.5, "tfidf": 2.0, "encoder": 0.25, "denial": 0.25}
"""For the same reason the views of meaning count less, and the one of words more."""


@dataclass(frozen=True)
class Way:
    """The share of documents that the views believe in, or `near`: the documents near those with a keyword."""

    share: float = 0.0
    near: bool = False

    def __str__(self) -> str:
        if self.near:
            return "neighbours"
        return f"{self.share:.0%} of the documents" if self.share else "the keywords alone"

    def benefit(self, trust: float) -> float:
        """How much it counts where all ways are equally good; `trust` is that in neighbours, from 0 to 1.

        Believing more is given the benefit of the doubt, because a corpus that divides well gains much by it, and one
        that does not shows it in the quality. A corpus of many topics, where neighbours can be trusted, does not divide
        in halves.

        >>> Way(0.5).benefit(0.0), Way(0.5).benefit(1.0), Way(near=True).benefit(0.0)
        (0.36, 0.0, 0.0)
        """
        return 0.3 * trust if self.near else (self.share + 0.1) ** 2 * max(0.0, 1 - 2 * self.share * trust)


ALONE, NEAR = Way(), Way(near=True)


def learn(
    way: Way,
    readings: Mapping[str, Reading],
    base: Fits,
    split: Split,
    rounds: int,
    plan: Plan,
    neighbours: Neighbours | None,
) -> dict[str, ViewFit]:
    """Learn in one way; `base` are the fits to the split by keywords."""
    if way.near:
        assert neighbours is not None
        near = neighbours.split(seeds(split, plan))
        # In a small corpus all may be near a keyword, and then nothing is left to compare with.
        fits = fit_again(readings, base, near, plan, NEAR_L2) if near.weights[~near.positive].any() else base
        return {name: scaled(fit, NEAR_WEIGHTS.get(name, 1.0)) for name, fit in fits.items()}
    return self_train(readings, base, split, way.share, rounds, plan) if way.share else dict(base)


def seeds(split: Split, plan: Plan) -> Split:
    """What neighbours learn from: a document that was judged irrelevant takes no place among the nearest."""
    return split if plan.answers is None else replace(split, weights=np.where(plan.answers == 0, 0.0, split.weights))
