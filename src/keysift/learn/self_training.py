"""Self-training: the views learn from what they rank highest together.

The documents with a keyword stay positive in every round, as an anchor; the top share of the ranking joins them, each
with a fixed weight. Where the documents fall into two sides, as opinions do, that sharpens the ranking; where the topic
is a small part of many, it blurs it. `keysift.learn.quality` finds out which.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from keysift.features.view import FittedView
from keysift.learn.teaching import taught
from keysift.learn.view_fit import FitPlan, Fits, Vector, ViewFit, fit_view, fuse, mean_difference, top_share


def with_top(
    strength: Vector,
    scores: Vector,
    share: float,
    weight: float,
    answers: NDArray[np.int8] | None = None,
    weights: Vector | None = None,
) -> Vector:
    """The weights of the positive set after the top share of the scores has joined it; an answer stays as it is.

    >>> with_top(np.array([0.2, 0.0, 1.5, 0.0]), np.array([3.0, 2.0, 1.0, 0.0]), share=0.5, weight=0.5).tolist()
    [0.5, 0.5, 1.5, 0.0]
    """
    joins = top_share(scores, share, weights)
    joins = joins if answers is None else joins & (answers < 0)
    return np.where(joins, np.maximum(strength, weight), strength)


def barred(excluded: NDArray[np.bool_], answers: NDArray[np.int8] | None = None) -> NDArray[np.int8] | None:
    """The answers, and 0 for documents with an excluded keyword, so that none of both joins; None for neither."""
    if not excluded.any():
        return answers
    known = np.full(len(excluded), -1, dtype=np.int8) if answers is None else answers
    return np.where(excluded & (known < 0), 0, known).astype(np.int8)


def self_train(
    views: Mapping[str, FittedView],
    fits: Fits,
    strength: Vector,
    weights: Mapping[str, float],
    fixed: Vector,
    plan: FitPlan,
    answers: NDArray[np.int8] | None = None,
) -> dict[str, ViewFit]:
    """Some rounds on from `fits`; `fixed` is a score that counts in the ranking but is not learned."""
    config = plan.config
    current = dict(fits)
    for _ in range(config.rounds):
        scores = fuse(taught(views, current, config), weights) + fixed
        positive = with_top(strength, scores, config.share, config.added_weight, answers, plan.weights)
        current = {
            name: fit_view(views[name], positive, plan, l2=config.round_l2, steps=config.round_steps, start=fit)
            for name, fit in current.items()
        }
    return current


def quick_self_train(
    views: Mapping[str, FittedView],
    strength: Vector,
    scores: Vector,
    weights: Mapping[str, float],
    plan: FitPlan,
    answers: NDArray[np.int8] | None = None,
) -> Vector:
    """The scores after two rounds of mean differences from `scores` on: enough to see whether self-training helps."""
    for _ in range(2):
        positive = with_top(strength, scores, plan.config.share, plan.config.added_weight, answers, plan.weights)
        scores = quick_scores(views, positive, weights, plan)
    return scores


def quick_scores(
    views: Mapping[str, FittedView], positive: Vector, weights: Mapping[str, float], plan: FitPlan
) -> Vector:
    """The scores by mean differences."""
    plan.check()
    return fuse({name: mean_difference(view, positive, plan.weights) for name, view in views.items()}, weights)
