"""Strategies of learning: from the keywords alone, by self-training, or from neighbours."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from keysift.config import DEFAULT, LearnConfig
from keysift.features.view import FittedView
from keysift.learn.cotraining import FitPlan, Fits, ViewFit, fit_again, scaled, self_train
from keysift.learn.neighbours import Neighbours
from keysift.learn.split import Split


@dataclass(frozen=True)
class Strategy:
    """The share of documents that self-training adds, or `near`: the documents near those with a keyword."""

    share: float = 0.0
    near: bool = False

    def __str__(self) -> str:
        if self.near:
            return "neighbours"
        return f"{self.share:.0%} of the documents" if self.share else "the keywords alone"

    def benefit(self, trust: float, config: LearnConfig = DEFAULT) -> float:
        """How much it counts if all strategies are equally good; `trust` in neighbours is from 0 to 1.

        Larger shares get the benefit of the doubt, because a corpus that divides well gains much by them, and one that
        does not shows it in the quality. A corpus of many topics, where neighbours can be trusted, does not divide in
        halves.

        >>> Strategy(0.5).benefit(0.0), Strategy(0.5).benefit(1.0), Strategy(near=True).benefit(0.0)
        (0.36, 0.0, 0.0)
        """
        if self.near:
            return config.neighbour_benefit * trust
        return (self.share + config.benefit_offset) ** 2 * max(0.0, 1 - 2 * self.share * trust)


ALONE, NEAR = Strategy(), Strategy(near=True)


def follow(
    strategy: Strategy,
    views: Mapping[str, FittedView],
    base: Fits,
    split: Split,
    rounds: int,
    plan: FitPlan,
    neighbours: Neighbours | None,
) -> dict[str, ViewFit]:
    """Learn by one strategy; `base` are the fits to the split by keywords."""
    if strategy.near:
        assert neighbours is not None
        near = neighbours.split(seeds(split, plan))
        # In a small corpus all may be near a keyword, and then nothing is left to compare with.
        fits = base
        if near.weights[~near.positive].any():
            fits = fit_again(views, base, near, plan, plan.config.neighbour_l2)
        return {name: scaled(fit, plan.role(name).neighbours) for name, fit in fits.items()}
    return self_train(views, base, split, strategy.share, rounds, plan) if strategy.share else dict(base)


def seeds(split: Split, plan: FitPlan) -> Split:
    """The split that spreads along neighbours: a document that was judged irrelevant does not count in it."""
    return split if plan.answers is None else replace(split, weights=np.where(plan.answers == 0, 0.0, split.weights))
