"""Learning across views: each view is fitted to the split by keywords, then also to what the other views rank highest.

    base   every view is fitted to the split, each document of the positive set weighted by its similarity
    round  a view is fitted again; positive are the documents with a keyword, as before, and those without one that the
           other views together rank in the top `share`, with less weight

The keywords stay in every round, as an anchor: without them the views agree more and more, on whatever divides the
corpus best. Both steps minimise the pairwise risk of a symmetric loss, so both tolerate mistakes in their labels. The
scores of a view are standardised on the training documents before views are compared.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from keysift.config import DEFAULT, LearnConfig
from keysift.features.linear import Features
from keysift.features.view import PLAIN, FittedView, Role
from keysift.learn.linear_fit import History, minimise_risk
from keysift.learn.split import Split, top_share
from keysift.risk.losses import Loss


def _go_on() -> None:
    pass


@dataclass(frozen=True, eq=False)
class FitPlan:
    """How the linear fits are made."""

    loss: Loss
    config: LearnConfig = DEFAULT
    roles: Mapping[str, Role] = field(default_factory=dict)
    """The role of each view, by its name."""
    answers: NDArray[np.int8] | None = None
    """What a person said of each document, 1, 0 or -1 for nothing; it holds in every fit."""
    check: Callable[[], None] = _go_on
    """Called before each fit; raises to stop."""

    def role(self, name: str) -> Role:
        """The role of a view."""
        return self.roles.get(name, PLAIN)

    def weights(self, names: Sequence[str]) -> dict[str, float]:
        """How much each view counts in the score."""
        return {name: self.role(name).weight for name in names}


@dataclass(frozen=True, eq=False)
class ViewFit:
    """A linear score of one view, standardised on the training documents: X @ coef + offset."""

    coef: NDArray[np.float64]
    offset: float
    scores: NDArray[np.float64]
    """Of the training documents."""
    deviation: float = 1.0
    """Of the scores before they were standardised."""
    history: History | None = None

    def score(self, X: Features) -> NDArray[np.float64]:
        """The score of other documents."""
        return np.asarray(X @ self.coef + self.offset)


Fits = Mapping[str, ViewFit]


def fit_split(views: Mapping[str, FittedView], split: Split, plan: FitPlan) -> dict[str, ViewFit]:
    """Fit every view to the split by keywords."""
    return _fit_each(views, dict.fromkeys(views, split), plan, plan.config.l2, plan.config.max_iter)


def fit_again(
    views: Mapping[str, FittedView], fits: Fits, labels: Split, plan: FitPlan, l2: float
) -> dict[str, ViewFit]:
    """Fit every view to labels that are a guess."""
    return _fit_each(views, dict.fromkeys(views, labels), plan, l2, plan.config.round_steps, start=fits)


def self_train(
    views: Mapping[str, FittedView], fits: Fits, split: Split, share: float, rounds: int, plan: FitPlan
) -> dict[str, ViewFit]:
    """Fit every view to the keywords and to what the others rank highest, round after round.

    A view that counts more than the others together, or is alone, learns from itself, too.
    """
    weights = {name: plan.role(name).teaching for name in views}
    config = plan.config
    for _ in range(rounds):
        total = fuse(fits, weights)
        own = {name: 2 * weights[name] > sum(weights.values()) for name in fits}
        teachers = {name: total if own[name] else total - weights[name] * fit.scores for name, fit in fits.items()}
        labels = {
            name: split.with_added(top_share(taught, share), config.added_weight) for name, taught in teachers.items()
        }
        fits = _fit_each(views, labels, plan, config.round_l2, config.round_steps, start=fits)
    return dict(fits)


def fuse(fits: Fits, weights: Mapping[str, float]) -> NDArray[np.float64]:
    """The weighted sum of the views' scores of the training documents."""
    return np.asarray(sum(weights[name] * fit.scores for name, fit in fits.items()))


def blend(many: Sequence[tuple[float, Fits]]) -> dict[str, ViewFit]:
    """The weighted sum of several fits, view by view: a sum of linear scores is a linear score."""
    (_, first), *_ = many
    return {
        name: ViewFit(
            coef=np.asarray(sum(weight * fits[name].coef for weight, fits in many)),
            offset=float(sum(weight * fits[name].offset for weight, fits in many)),
            scores=np.asarray(sum(weight * fits[name].scores for weight, fits in many)),
        )
        for name in first
    }


def scaled(fit: ViewFit, factor: float) -> ViewFit:
    """A fit that counts more or less beside others."""
    return ViewFit(factor * fit.coef, factor * fit.offset, factor * fit.scores)


def _fit_each(
    views: Mapping[str, FittedView],
    labels: Mapping[str, Split],
    plan: FitPlan,
    l2: float,
    steps: int,
    start: Fits | None = None,
) -> dict[str, ViewFit]:
    """Every view by itself, as many at a time as there are cores: NumPy releases the interpreter meanwhile."""
    if plan.answers is not None:
        weight = plan.config.answer_weight
        labels = {name: split.with_answers(plan.answers, weight) for name, split in labels.items()}

    def fit(name: str) -> ViewFit:
        plan.check()
        before = None if start is None else start[name].coef * start[name].deviation
        return _fit(views[name].X, labels[name], plan, l2, steps, before)

    # One thread a fit: threads inside threads wait for each other longer than they work.
    with _controller().limit(limits=1, user_api="blas"), ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return dict(zip(views, pool.map(fit, views), strict=True))


@cache
def _controller() -> ThreadpoolController:
    """Knows the linear algebra libraries that are loaded; asking for them takes a while."""
    return ThreadpoolController()


def _fit(
    X: Features, labels: Split, plan: FitPlan, l2: float, steps: int, start: NDArray[np.float64] | None
) -> ViewFit:
    coef, history = minimise_risk(
        X,
        labels.positive,
        plan.loss,
        l2=l2,
        weights=labels.weights,
        start=start,
        max_iter=steps,
        tol=plan.config.tol,
    )
    raw = np.asarray(X @ coef)
    mean, deviation = float(raw.mean()), float(raw.std())
    if deviation < 1e-12:
        return ViewFit(np.zeros_like(coef), 0.0, np.zeros(len(raw)), history=history)
    return ViewFit(coef / deviation, -mean / deviation, (raw - mean) / deviation, deviation, history)
