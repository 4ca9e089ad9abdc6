"""The steepest slope of a loss: the smallest L with |l(a) - l(b)| <= L |a - b|."""

from keysift.errors import SettingError
from keysift.risk.losses import Hinges, Loss

SMOOTH = {
    "sigmoid": 1 / 4,  # s (1 - s) at s = 1/2
    "logistic": 1.0,  # 1 / (1 + exp z) as z falls
    "savage": 8 / 27,  # 2 s^2 (1 - s) at s = 2/3
}


def lipschitz_constant(loss: Loss) -> float:
    """The largest slope, up or down.

    >>> from keysift.risk.losses import get_loss
    >>> lipschitz_constant(get_loss("sigmoid")), lipschitz_constant(get_loss("ramp"))
    (0.25, 0.5)
    """
    if loss.hinges is not None:
        return _steepest(loss.hinges)
    if loss.name in SMOOTH:
        return SMOOTH[loss.name]
    raise SettingError(
        f"{loss.name} has no known Lipschitz constant (squared and zero_one have none at all); use sigmoid, or give the"
        " number yourself."
    )


def _steepest(hinges: Hinges) -> float:
    """The steepest piece, going from the rightmost one to the left, knot by knot."""
    slope = hinges.slope
    steepest = abs(slope)
    for _, weight in sorted(zip(hinges.knots, hinges.weights, strict=True), reverse=True):
        slope -= weight
        steepest = max(steepest, abs(slope))
    return float(steepest)
