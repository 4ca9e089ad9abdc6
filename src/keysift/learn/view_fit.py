"""One view, fitted: a linear score of the documents, standardised so that views can be added up.

Documents with a keyword, weighted by their strength, are compared with all documents: two unlabelled sets of which the
first holds a larger share of relevant ones. That difference is all that a symmetric loss needs (Theorem 2).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.features.view import FittedView
from keysift.learn.linear_fit import History, minimise_risk
from keysift.risk.losses import Loss

Vector = NDArray[np.float64]


def _go_on() -> None:
    pass


@dataclass(frozen=True, eq=False)
class FitPlan:
    """How the linear fits are made."""

    loss: Loss
    config: LearnConfig = DEFAULT
    check: Callable[[], None] = _go_on
    """Called before each fit; raises to stop."""
    weights: Vector | None = None
    """How many documents each stands for, where they are a sample."""


@dataclass(frozen=True, eq=False)
class ViewFit:
    """A linear score of one view, standardised on the training documents: X @ coef + offset."""

    coef: Vector
    offset: float
    scores: Vector
    """Of the training documents."""
    deviation: float = 1.0
    """What the scores were divided by."""
    history: History | None = None


Fits = Mapping[str, ViewFit]


def fit_view(
    view: FittedView, positive: Vector, plan: FitPlan, *, l2: float, steps: int, start: ViewFit | None = None
) -> ViewFit:
    """Fit the documents with a positive weight against all documents; `start` is an earlier fit to go on from.

    Documents that the view does not know, because they were not encoded, are in neither set.
    """
    plan.check()
    first = mean_difference(view, positive, plan.weights) if start is None else start
    positive, seen = _weighed(positive, plan.weights), _weighed(seen_by(view).astype(np.float64), plan.weights)
    if not (positive * seen).any():
        return first
    coef, history = minimise_risk(
        view.X,
        positive * (seen > 0),
        seen,
        plan.loss,
        l2=l2,
        start=first.coef,
        max_iter=steps,
        tol=plan.config.tol,
    )
    return standardised(view, coef, history, plan.weights)


def mean_difference(view: FittedView, positive: Vector, counted: Vector | None = None) -> ViewFit:
    """The mean of the positive documents minus the mean of all: what the unhinged loss learns, in one pass."""
    seen = _weighed(seen_by(view).astype(np.float64), counted)
    positive = positive * seen
    weights = positive / max(float(positive.sum()), 1e-300) - seen / max(float(seen.sum()), 1.0)
    coef = np.asarray(view.X.T @ weights) if positive.any() else np.zeros(view.X.shape[1])
    return standardised(view, coef, weights=counted)


def standardised(
    view: FittedView, coef: Vector, history: History | None = None, weights: Vector | None = None
) -> ViewFit:
    """The score X @ coef with mean zero and deviation one over the documents that the view knows.

    It is zero everywhere if it never changes, and for documents that the view does not know.
    """
    raw, seen = np.asarray(view.X @ coef), seen_by(view)
    mean, deviation = _moments(raw[seen], None if weights is None else weights[seen]) if seen.any() else (0.0, 0.0)
    if deviation < 1e-12:
        return ViewFit(np.zeros_like(coef), 0.0, np.zeros(len(raw)), history=history)
    scores = np.where(seen, (raw - mean) / deviation, 0.0)
    return ViewFit(coef / deviation, -mean / deviation, scores, deviation, history)


def _moments(raw: Vector, weights: Vector | None) -> tuple[float, float]:
    """Mean and deviation."""
    if weights is None:
        return float(raw.mean()), float(raw.std())
    mean = float(np.average(raw, weights=weights))
    return mean, float(np.sqrt(np.average((raw - mean) ** 2, weights=weights)))


def _weighed(values: Vector, weights: Vector | None) -> Vector:
    return values if weights is None else values * weights


def seen_by(view: FittedView) -> NDArray[np.bool_]:
    """Which documents a view knows: all, but for sentence vectors that were not made."""
    known = getattr(view, "known", None)
    return np.ones(view.X.shape[0], dtype=bool) if known is None else np.asarray(known)


def fuse(fits: Fits, weights: Mapping[str, float]) -> Vector:
    """The views' scores added up by their weights."""
    return np.asarray(sum(weights[name] * fit.scores for name, fit in fits.items()))


def top_share(scores: Vector, share: float, weights: Vector | None = None) -> NDArray[np.bool_]:
    """The documents in the top share of the scores, at least one and never all; ties by their place.

    With `weights` a document stands for so many.

    >>> top_share(np.array([3.0, 1.0, 2.0, 1.0]), 0.5).tolist()
    [True, False, True, False]
    """
    order = np.argsort(-scores, kind="stable")
    wanted = round(share * len(scores))
    if weights is not None:
        wanted = int(np.searchsorted(np.cumsum(weights[order]), share * weights.sum(), side="right"))
    count = min(max(1, wanted), len(scores) - 1)
    top = np.zeros(len(scores), dtype=bool)
    top[order[:count]] = True
    return top
