"""Margin losses: value, slope, and the constant K of the symmetric ones.

A loss is symmetric when l(z) + l(-z) = K for every z (Section 2.1 of the paper). Then the wrong labels in the
two pseudo-labelled sets do not move the minimiser of the risk (Theorem 2).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from keysift.errors import SettingError

Function = Callable[[NDArray[np.float64]], NDArray[np.float64]]
Form = Literal["smooth", "piecewise linear", "squared", "zero-one"]


@dataclass(frozen=True)
class Hinges:
    """A piecewise-linear loss: l(z) = intercept + slope z + sum_k weights_k max(0, knots_k - z)."""

    intercept: float
    slope: float
    knots: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()

    def value(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        """The loss itself."""
        total = self.intercept + self.slope * z
        for knot, weight in zip(self.knots, self.weights, strict=True):
            total = total + weight * np.maximum(0.0, knot - z)
        return total

    def derivative(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        """Its slope; at a knot, the slope on the right."""
        total = np.full_like(z, self.slope)
        for knot, weight in zip(self.knots, self.weights, strict=True):
            total = total - weight * (z < knot)
        return total


@dataclass(frozen=True)
class Loss:
    """A margin loss l(z): the cost of a pair with the margin z, the positive score minus the negative one.

    >>> get_loss("sigmoid").value(0.0), get_loss("sigmoid").K
    (array(0.5), 1.0)
    """

    name: str
    form: Form
    _value: Function
    _slope: Function
    K: float | None = None
    """l(z) + l(-z), or None where the loss is not symmetric."""
    symmetric_within: float = np.inf
    """The loss is symmetric for |z| up to this value."""
    hinges: Hinges | None = None
    """The pieces of a piecewise-linear loss."""

    def value(self, z: ArrayLike) -> NDArray[np.float64]:
        """l(z)."""
        return np.asarray(self._value(np.asarray(z, dtype=np.float64)))

    def slope(self, z: ArrayLike) -> NDArray[np.float64]:
        """dl/dz."""
        return np.asarray(self._slope(np.asarray(z, dtype=np.float64)))

    @property
    def symmetric(self) -> bool:
        """Whether l(z) + l(-z) is constant, at least on an interval."""
        return self.K is not None


def _piecewise(name: str, hinges: Hinges, K: float | None = None, within: float = np.inf) -> Loss:
    return Loss(name, "piecewise linear", hinges.value, hinges.derivative, K, within, hinges)


def _sigmoid_slope(z: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(-expit(z) * expit(-z))


def barrier_hinge(b: float = 200.0, r: float = 50.0) -> Loss:
    """max(-b (r + z) + r, max(b (z - r), r - z)) with b > 1, r > 0: symmetric for |z| <= r, K = 2 r.

    >>> barrier_hinge(b=3, r=1).value([-2.0, -1.0, 1.0, 2.0]).tolist()
    [4.0, 2.0, 0.0, 3.0]
    """
    if not (b > 1 and r > 0):
        raise SettingError(f"barrier_hinge needs b > 1 and r > 0; got b={b}, r={r}.")
    left = -b * r / (b - 1)
    hinges = Hinges(intercept=-b * r, slope=b, knots=(r, left), weights=(1 + b, b - 1))
    return _piecewise("barrier_hinge", hinges, K=2 * r, within=r)


LOSSES: dict[str, Loss] = {
    loss.name: loss
    for loss in (
        # (1 - sign z) / 2
        Loss("zero_one", "zero-one", lambda z: 0.5 - 0.5 * np.sign(z), np.zeros_like, K=1.0),
        # 1 / (1 + exp z)
        Loss("sigmoid", "smooth", lambda z: np.asarray(expit(-z)), _sigmoid_slope, K=1.0),
        # max(0, min(1, (1 - z) / 2))
        _piecewise("ramp", Hinges(0.0, 0.0, knots=(1.0, -1.0), weights=(0.5, -0.5)), K=1.0),
        # 1 - z
        _piecewise("unhinged", Hinges(1.0, -1.0), K=2.0),
        barrier_hinge(),
        # log(1 + exp -z)
        Loss("logistic", "smooth", lambda z: np.logaddexp(0.0, -z), lambda z: np.asarray(-expit(-z))),
        # (1 - z)^2
        Loss("squared", "squared", lambda z: (1.0 - z) ** 2, lambda z: -2.0 * (1.0 - z)),
        # max(0, 1 - z)
        _piecewise("hinge", Hinges(0.0, 0.0, knots=(1.0,), weights=(1.0,))),
        # 1 / (1 + exp z)^2
        Loss(
            "savage",
            "smooth",
            lambda z: np.asarray(expit(-z) ** 2),
            lambda z: 2.0 * expit(-z) * _sigmoid_slope(z),
        ),
    )
}
"""Every loss by name; a loss added here is also tested and offered on the command line."""


def get_loss(loss: str | Loss) -> Loss:
    """Look up a loss by name; a `Loss` is returned as it is.

    >>> get_loss("hinge").value([0.0, 2.0]).tolist()
    [1.0, 0.0]
    """
    if isinstance(loss, Loss):
        return loss
    if loss not in LOSSES:
        raise SettingError(f"loss must be one of {', '.join(LOSSES)}; got {loss!r}.")
    return LOSSES[loss]


def check_slope(loss: Loss) -> None:
    """Refuse the zero-one loss, whose slope is zero wherever it has one."""
    if loss.form == "zero-one":
        raise SettingError(
            "The zero_one loss is flat, so nothing can be learned with it; use sigmoid, which is smooth and symmetric."
        )
