"""The complexity with any loss on top, from below: the best point that gradient ascent finds replaces the supremum."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keysift.risk.losses import Loss
from keysift.theory.arguments import check_positive, two_sets
from keysift.theory.rademacher import RademacherEstimate, draw_signs, mean_of

STEPS = 60
"""Enough to settle: the step size doubles after a success and halves after a failure."""


def rademacher_from_below(
    loss: Loss,
    x: ArrayLike,
    x_prime: ArrayLike,
    *,
    radius: float,
    draws: int = 100,
    starts: int = 4,
    rng: np.random.Generator,
) -> RademacherEstimate:
    """A lower estimate of the empirical complexity of l(w . (x - x')), |w| <= radius. Time grows with n m.

    No point of the ball exceeds the supremum, so the mean over the signs is too low rather than too high, up to its
    standard error. The loss at zero is subtracted, which lowers the noise and does not change the mean.

    >>> from keysift.risk.losses import get_loss
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> rademacher_from_below(get_loss("sigmoid"), X, -X, radius=1.0, rng=np.random.default_rng(0))
    RademacherEstimate(mean=0.28..., standard_error=0.02...)
    """
    X, X_prime = two_sets(x, x_prime)
    sigma, upsilon = draw_signs(draws, len(X), len(X_prime), rng)
    found = [
        climb(loss, X, X_prime, signs, partner_signs, radius=radius, starts=starts, rng=rng)
        for signs, partner_signs in zip(sigma, upsilon, strict=True)
    ]
    return mean_of(np.array(found))


def climb(
    loss: Loss,
    x: ArrayLike,
    x_prime: ArrayLike,
    sigma: ArrayLike,
    upsilon: ArrayLike,
    *,
    radius: float,
    starts: int = 4,
    rng: np.random.Generator,
) -> float:
    """The highest value found of 2/(nm) sum_ij (sigma_i + upsilon_j)/2 [l(w . (x_i - x'_j)) - l(0)] over |w| <= radius.

    >>> from keysift.risk.losses import get_loss
    >>> rng = np.random.default_rng(0)
    >>> round(climb(get_loss("unhinged"), [[3.0, 4.0]], [[0.0, 0.0]], [1], [1], radius=2.0, rng=rng), 9)
    20.0
    """
    X, X_prime = two_sets(x, x_prime)
    B = check_positive("radius", radius)
    signs = np.add.outer(np.asarray(sigma, dtype=np.float64), np.asarray(upsilon, dtype=np.float64))
    signs /= signs.size
    at_zero = loss.value(0.0)

    def value_and_slope(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = np.subtract.outer(X @ w, X_prime @ w)
        slopes = signs * loss.slope(margins)
        return float(np.sum(signs * (loss.value(margins) - at_zero))), slopes.sum(axis=1) @ X - slopes.sum(
            axis=0
        ) @ X_prime

    def into_ball(w: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(w * min(1.0, B / max(float(np.linalg.norm(w)), 1e-300)))

    def one_climb(w: NDArray[np.float64]) -> float:
        value, slope = value_and_slope(w)
        step = B / max(float(np.linalg.norm(slope)), 1e-300)
        for _ in range(STEPS):
            further = into_ball(w + step * slope)
            better, its_slope = value_and_slope(further)
            if better > value:
                w, value, slope, step = further, better, its_slope, 2 * step
            else:
                step /= 2
        return value

    # The centre first: there the slope points to the supremum of the loss's tangent.
    begin = [np.zeros(X.shape[1]), *map(into_ball, B * rng.standard_normal((starts - 1, X.shape[1])))]
    return max(map(one_climb, begin))
