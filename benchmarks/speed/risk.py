"""The binned risk against the vectorised double loop, and how its time grows."""

from collections.abc import Iterator

import numpy as np

from benchmarks.line import Line
from benchmarks.speed.timing import best_time, one_core
from keysift.risk.binned import binned_risk
from keysift.risk.losses import get_loss
from keysift.risk.pairs import pairs_risk
from keysift.risk.sides import Sides

__all__ = ["risk_figures"]


def risk_figures() -> Iterator[Line]:
    """Value and gradient of the sigmoid risk on one core."""
    loss = get_loss("sigmoid")
    rng = np.random.default_rng(0)

    def sides_of(size: int) -> Sides:
        return Sides.of(rng.normal(1.0, 2.0, size), rng.normal(-1.0, 2.0, size))

    with one_core():
        sides = sides_of(20_000)
        slow = best_time(lambda: pairs_risk(loss, sides), runs=2)
        fast = best_time(lambda: binned_risk(loss, sides), runs=10)
        yield Line("risk, 20,000 x 20,000: speed-up", slow / fast, 1000.0, "times", "wanted", "1 or more")
        exact, binned = pairs_risk(loss, sides), binned_risk(loss, sides)
        errors = [
            abs(binned.value - exact.value) / exact.value,
            *(
                float(np.abs(ours - theirs).max() / np.abs(theirs).max())
                for ours, theirs in (
                    (binned.positive_gradient, exact.positive_gradient),
                    (binned.negative_gradient, exact.negative_gradient),
                )
            ),
        ]
        yield Line("risk: error relative to the largest entry", max(errors), 1e-6, "", "wanted", "1 or less")
        times = {}
        for size in (100_000, 1_000_000):
            sides = sides_of(size)
            times[size] = best_time(lambda sides=sides: binned_risk(loss, sides), runs=5)  # type: ignore[misc]
        yield Line("risk, a million x a million", times[1_000_000], 0.25, "s", "wanted", "1 or less")
        growth = times[1_000_000] / times[100_000]
        yield Line("risk: time for 10 times the scores", growth, 12.0, "times", "wanted", "1 or less")
