"""All pairs in every step: L-BFGS on the corrupted AUC risk of a linear score."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, minimize

from keysift.features.linear import Features, LinearModel
from keysift.risk.losses import Loss, check_slope
from keysift.risk.pairwise import pairwise_risk
from keysift.risk.sides import Sides, normalised

Vector: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class History:
    """How the training went: a value for every accepted step, the start included."""

    risk: tuple[float, ...]
    """The corrupted risk, without the penalty."""
    gradient_norm: tuple[float, ...]
    """The norm of the gradient of risk plus penalty."""
    converged: bool
    message: str

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.risk) - 1


def fit_linear(
    X: Features,
    positive: NDArray[np.bool_],
    loss: Loss,
    *,
    l2: float = 0.15,
    weights: Vector | None = None,
    start: Vector | None = None,
    offsets: Vector | None = None,
    max_iter: int = 200,
    tol: float = 1e-6,
    standardize: bool = True,
) -> tuple[LinearModel, History]:
    """Minimise R_corr(g) + l2/2 |w|^2 over g(x) = w . z(x), z(x) = (x - mean) / deviation.

    The risk sees only differences of scores, so the mean has no influence on it: sparse features are divided by
    their deviation, stay sparse, and the mean goes into the offset. `weights` is one weight for each document,
    `start` the coefficients (for X, not z) to start from; `offsets` are scores of the documents to which the
    model adds; `tol` the largest component of the gradient to stop at.

    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [0.2, 0.3], [0.9, 0.8]])
    >>> from keysift.risk.losses import get_loss
    >>> model, history = fit_linear(X, np.array([False, True, False, True]), get_loss("sigmoid"))
    >>> bool(model.coef[0] > abs(model.coef[1])), history.converged
    (True, True)
    """
    share = normalised(weights, X.shape[0])
    mean = np.asarray(share @ X)
    coef, history = minimise_risk(
        X,
        np.where(positive, share, 0.0),
        np.where(positive, 0.0, share),
        loss,
        l2=l2,
        start=start,
        offsets=offsets,
        max_iter=max_iter,
        tol=tol,
        scale=_scale(X, share, mean) if standardize else None,
    )
    return LinearModel(coef, offset=-float(mean @ coef)), history


def minimise_risk(
    X: Features,
    positive: Vector,
    negative: Vector,
    loss: Loss,
    *,
    l2: float,
    start: Vector | None = None,
    offsets: Vector | None = None,
    max_iter: int,
    tol: float,
    scale: Vector | None = None,
) -> tuple[Vector, History]:
    """The coefficients for X that minimise R_corr(g) + l2/2 |w|^2 over g(x) = w . (scale x); see `fit_linear`.

    `positive` and `negative` are the weights of the documents in the two sets, zero where a document is not in it; a
    document may be in both.

    >>> from keysift.risk.losses import get_loss
    >>> X, positive = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    >>> coef, history = minimise_risk(X, positive, 1 - positive, get_loss("unhinged"), l2=0.5, max_iter=10, tol=1e-6)
    >>> coef.round(6).tolist()
    [2.0]
    """
    check_slope(loss)
    scale = np.ones(X.shape[1]) if scale is None else scale
    above, below = np.flatnonzero(positive > 0), np.flatnonzero(negative > 0)
    sides = Sides.of(np.zeros(len(above)), np.zeros(len(below)), positive[above], negative[below])

    def risk_at(w: Vector) -> tuple[float, Vector]:
        scores = X @ (scale * w)
        if offsets is not None:
            scores = scores + offsets
        risk = pairwise_risk(loss, sides.at(scores[above], scores[below]))
        slopes = np.zeros(len(scores))
        slopes[above] += risk.positive_gradient
        slopes[below] += risk.negative_gradient
        return risk.value, scale * (X.T @ slopes)

    w = np.zeros(X.shape[1])
    if start is not None:
        np.divide(start, scale, out=w, where=scale > 0)
    w, history = descend(risk_at, w, l2=l2, max_iter=max_iter, tol=tol)
    return scale * w, history


def descend(
    risk_at: Callable[[Vector], tuple[float, Vector]], w: Vector, *, l2: float, max_iter: int, tol: float
) -> tuple[Vector, History]:
    """L-BFGS from `w` on the risk, of which `risk_at` gives value and gradient, plus l2/2 |w|^2.

    >>> w, history = descend(lambda w: (float(w.sum()), np.ones(1)), np.zeros(1), l2=0.5, max_iter=10, tol=1e-6)
    >>> w.round(6).tolist()
    [-2.0]
    """
    evaluated: dict[bytes, tuple[float, float]] = {}
    path: list[tuple[float, float]] = []

    def objective(w: Vector) -> tuple[float, Vector]:
        risk, slope = risk_at(w)
        gradient = slope + l2 * w
        evaluated[w.tobytes()] = reached = (risk, float(np.linalg.norm(gradient)))
        if not path:
            path.append(reached)  # the start
        return risk + 0.5 * l2 * float(w @ w), gradient

    def accepted(intermediate_result: OptimizeResult) -> None:
        step = intermediate_result.x.tobytes()
        if step not in evaluated:
            objective(intermediate_result.x)
        path.append(evaluated[step])
        evaluated.clear()

    result = minimize(
        objective,
        w,
        jac=True,
        method="L-BFGS-B",
        callback=accepted,
        options={"maxiter": max_iter, "gtol": tol, "ftol": 1e-10},
    )
    risks, norms = zip(*path, strict=True)
    # The binned risk is exact to about 1e-7 only; a line search that ends in that noise has arrived.
    converged = bool(result.success) or norms[-1] <= 1e-4
    return np.asarray(result.x), History(risks, norms, converged, message=str(result.message))


def _scale(X: Features, share: Vector, mean: Vector) -> Vector:
    """One over the deviation of each feature; zero, which silences it, where it never changes."""
    if sp.issparse(X):
        return scale_by(np.asarray(share @ X.power(2)) - mean**2, 1e-13 * mean**2)
    return scale_by(share @ (X - mean) ** 2, 1e-28 * mean**2)


def scale_by(variance: Vector, rounding: Vector) -> Vector:
    """One over the deviation; zero where the variance is rounding."""
    changing = variance > rounding
    return np.where(changing, 1.0 / np.sqrt(np.where(changing, variance, 1.0)), 0.0)
