"""Learning across views: each view is fitted to the split by keywords, then to what the other views believe as well.

    base   every view is fitted to the split, each document of the positive set weighted by its similarity
    round  a view is fitted anew; positive are the documents with a keyword, as before, and those without one that the
           other views together put into the top `share`, with half the weight

The keywords stay in every round, as an anchor: without them the views agree ever more, on whatever divides the corpus
best. Both steps minimise the pairwise risk of a symmetric loss, so both stand mistakes in their labels. Scores of
different views are compared after each is standardised on the training documents.
"""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from keysift.losses import Loss
from keysift.models import Features
from keysift.training import History, fit_linear
from keysift.views import Reading

TEACHING = {"tfidf": 0.5, "lsa": 0.5, "encoder": 4.0, "denial": 2.0}
"""How much a view counts when another learns from it, where it is not 1: the two views of plain words are much alike,
an encoder sees as much as the others together, and the direction of denied keywords half of that."""
BELIEVED = 0.5
"""How much a document counts that the views believe in, beside one with a keyword."""
ANSWERED = 1.0
"""How much a document counts that a person judged; more was no better, because answers are also learned from in pairs
(`keysift.learning.answers`)."""
ROUND_STEPS = 25
"""Where labels are a guess, the fit need not be exact."""

__all__ = [
    "Fits",
    "Plan",
    "Split",
    "ViewFit",
    "blend",
    "fit_again",
    "fit_split",
    "fuse",
    "scaled",
    "self_train",
    "top_share",
]


@dataclass(frozen=True, eq=False)
class Split:
    """The two sets by keywords, and how much each document counts in its set."""

    positive: NDArray[np.bool_]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, positive: NDArray[np.bool_], similarity: NDArray[np.float64]) -> "Split":
        """The more similar to the keywords, the more a positive counts; one on the average, as every negative.

        >>> Split.of(np.array([True, True, False]), np.array([0.75, 0.25, 0.0])).weights.tolist()
        [1.5, 0.5, 1.0]
        """
        return cls(positive, np.where(positive, similarity / similarity[positive].mean(), 1.0))

    def with_believed(self, believed: NDArray[np.bool_]) -> "Split":
        """The documents that are believed in join the positive ones.

        >>> split = Split(np.array([True, False, False]), np.array([0.4, 1.0, 1.0]))
        >>> joined = split.with_believed(np.array([True, True, False]))
        >>> joined.positive.tolist(), joined.weights.tolist()
        ([True, True, False], [0.5, 0.5, 1.0])
        """
        keyword = np.where(self.positive, self.weights, 0.0)
        weights = np.where(believed, np.maximum(keyword, BELIEVED), self.weights)
        return Split(self.positive | believed, weights)

    def with_answers(self, answers: NDArray[np.int8]) -> "Split":
        """Documents with an answer, 1 or 0, go where it says, whatever else is believed; -1 is none.

        >>> split = Split(np.array([True, True, False]), np.array([1.2, 0.8, 1.0]))
        >>> answered = split.with_answers(np.array([0, -1, 1], dtype=np.int8))
        >>> answered.positive.tolist(), answered.weights.tolist()
        ([False, True, True], [1.0, 0.8, 1.0])
        """
        known = answers >= 0
        return Split(np.where(known, answers == 1, self.positive), np.where(known, ANSWERED, self.weights))


@dataclass(frozen=True, eq=False)
class Plan:
    """How the linear fits are made; see `keysift.Settings`."""

    loss: Loss
    l2: float
    round_l2: float
    max_iter: int
    tol: float
    answers: NDArray[np.int8] | None = None
    """What a person said of each document, 1, 0 or -1 for nothing; it holds in every fit."""


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


def fit_split(readings: Mapping[str, Reading], split: Split, plan: Plan) -> dict[str, ViewFit]:
    """Fit every view to the split by keywords."""
    return _fit_each(readings, dict.fromkeys(readings, split), plan, plan.l2, plan.max_iter)


def fit_again(readings: Mapping[str, Reading], fits: Fits, labels: Split, plan: Plan, l2: float) -> dict[str, ViewFit]:
    """Fit every view to labels that are a guess."""
    return _fit_each(readings, dict.fromkeys(readings, labels), plan, l2, ROUND_STEPS, start=fits)


def self_train(
    readings: Mapping[str, Reading],
    fits: Fits,
    split: Split,
    share: float,
    rounds: int,
    plan: Plan,
) -> dict[str, ViewFit]:
    """Fit every view to the keywords and to what the others believe, again and again.

    A view that counts more than the others together, or is alone, believes itself, too.
    """
    weights = {name: TEACHING.get(name, 1.0) for name in readings}
    for _ in range(rounds):
        total = fuse(fits, weights)
        own = {name: 2 * weights[name] > sum(weights.values()) for name in fits}
        beliefs = {name: total if own[name] else total - weights[name] * fit.scores for name, fit in fits.items()}
        labels = {name: split.with_believed(top_share(belief, share)) for name, belief in beliefs.items()}
        fits = _fit_each(readings, labels, plan, plan.round_l2, ROUND_STEPS, start=fits)
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


def top_share(scores: NDArray[np.float64], share: float) -> NDArray[np.bool_]:
    """The documents in the top share of the scores, at least one and never all; ties by their place.

    >>> top_share(np.array([3.0, 1.0, 2.0, 1.0]), 0.5).tolist()
    [True, False, True, False]
    """
    count = min(max(1, round(share * len(scores))), len(scores) - 1)
    positive = np.zeros(len(scores), dtype=bool)
    positive[np.argsort(-scores, kind="stable")[:count]] = True
    return positive


def _fit_each(
    readings: Mapping[str, Reading],
    labels: Mapping[str, Split],
    plan: Plan,
    l2: float,
    steps: int,
    start: Fits | None = None,
) -> dict[str, ViewFit]:
    """Every view by itself, as many at a time as there are cores: NumPy lets go of the interpreter meanwhile."""
    if plan.answers is not None:
        labels = {name: split.with_answers(plan.answers) for name, split in labels.items()}

    def fit(name: str) -> ViewFit:
        before = None if start is None else start[name].coef * start[name].deviation
        return _fit(readings[name].X, labels[name], plan, l2, steps, before)

    # One thread a fit: threads inside threads wait for each other longer than they work.
    with _controller().limit(limits=1, user_api="blas"), ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return dict(zip(readings, pool.map(fit, readings), strict=True))


@cache
def _controller() -> ThreadpoolController:
    """Knows the linear algebra libraries that are loaded; asking for them takes a while."""
    return ThreadpoolController()


def _fit(X: Features, labels: Split, plan: Plan, l2: float, steps: int, start: NDArray[np.float64] | None) -> ViewFit:
    model, history = fit_linear(
        X,
        labels.positive,
        plan.loss,
        l2=l2,
        weights=labels.weights,
        start=start,
        max_iter=steps,
        tol=plan.tol,
        standardize=False,
    )
    raw = np.asarray(X @ model.coef)
    mean, deviation = float(raw.mean()), float(raw.std())
    if deviation < 1e-12:
        return ViewFit(np.zeros_like(model.coef), 0.0, np.zeros(len(raw)), history=history)
    return ViewFit(model.coef / deviation, -mean / deviation, (raw - mean) / deviation, deviation, history)
