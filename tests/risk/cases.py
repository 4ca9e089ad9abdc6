"""What every way of computing the risk is tried on, and compared with."""

import numpy as np
import pytest
from hypothesis import strategies as st

from keysift.risk.losses import LOSSES, Form, Loss, barrier_hinge
from keysift.risk.pairs import Method, Risk, pairs_risk
from keysift.risk.sides import Sides

SHEET = [*LOSSES.values(), barrier_hinge(b=3, r=1)]
EIGHTHS = st.one_of(st.integers(-16, 16), st.integers(-500, 500)).map(lambda n: n / 8)
"""Differences of eighths do not round, so ties and knots are hit exactly."""
FLOATS = st.floats(-20, 20)


def of_form(form: Form) -> list[Loss]:
    return [loss for loss in SHEET if loss.form == form]


def loss_id(loss: Loss) -> str:
    return f"{loss.name}-{loss.symmetric_within:g}" if loss.name == "barrier_hinge" else loss.name


@st.composite
def problems(draw: st.DrawFn, scores: st.SearchStrategy[float]) -> Sides:
    """Positive and negative scores, with weights or without."""
    given = [np.array(draw(st.lists(scores, min_size=1, max_size=12))) for _ in range(2)]
    quarters = st.integers(1, 16).map(lambda n: n / 4)
    weights = [
        np.array(draw(st.lists(quarters, min_size=len(side), max_size=len(side)))) if draw(st.booleans()) else None
        for side in given
    ]
    return Sides.of(*given, *weights)


def _extremes() -> dict[str, Sides]:
    rng = np.random.default_rng(0)
    given = {
        "one of each": (np.array([0.25]), np.array([-1.0]), None, None),
        "all equal": (np.full(5, 3.0), np.full(7, 3.0), None, np.arange(1.0, 8.0)),
        "tied": (rng.integers(-4, 5, 60) / 2, rng.integers(-4, 5, 50) / 2, rng.integers(1, 9, 60) / 8, None),
        "thousands": (rng.integers(-8000, 8000, 30) / 8, rng.integers(-8000, 8000, 40) / 8, None, None),
        "far from zero": (1e6 + rng.integers(-16, 17, 20) / 8, 1e6 + rng.integers(-16, 17, 30) / 8, None, None),
        "uneven sizes": (np.array([0.5]), rng.integers(-40, 40, 3000) / 8, None, rng.uniform(0, 1, 3000)),
        "some weigh nothing": (np.arange(5.0), np.arange(4.0), np.array([0.0, 1, 0, 2, 0]), np.array([1.0, 0, 0, 1])),
    }
    return {name: Sides.of(*problem) for name, problem in given.items()}


EXTREMES = [pytest.param(sides, id=name) for name, sides in _extremes().items()]


def assert_same(got: Risk, expected: Risk, atol: float) -> None:
    for name in ("value", "positive_gradient", "negative_gradient"):
        np.testing.assert_allclose(getattr(got, name), getattr(expected, name), rtol=1e-9, atol=atol, err_msg=name)


def assert_agrees_with_pairs(shortcut: Method, loss: Loss, sides: Sides, atol: float = 1e-9) -> None:
    assert_same(shortcut(loss, sides), pairs_risk(loss, sides), atol)
