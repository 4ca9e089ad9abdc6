import numpy as np
import pytest
from hypothesis import given, settings

from keysift.errors import SettingError
from keysift.risk.losses import Loss, get_loss
from keysift.theory.ascent import rademacher_from_below
from keysift.theory.contraction import contraction_bound, rms_distance
from keysift.theory.lipschitz import lipschitz_constant
from keysift.theory.rademacher import linear_suprema
from tests.risk.cases import loss_id
from tests.theory.signs import Vector, brute_suprema, disc, every_sign, tiny_samples

LIPSCHITZ = [get_loss(name) for name in ("sigmoid", "ramp", "unhinged", "logistic", "hinge", "savage")]
every_lipschitz_loss = pytest.mark.parametrize("loss", LIPSCHITZ, ids=loss_id)


def bound_of(loss: Loss, X: Vector, X_prime: Vector, radius: float) -> float:
    spread = max(rms_distance(X, X_prime), 1e-12)
    steepness = lipschitz_constant(loss)
    return contraction_bound(len(X), len(X_prime), radius=radius, spread=spread, lipschitz=steepness)


@every_lipschitz_loss
@settings(max_examples=12)
@given(sample=tiny_samples())
def test_no_complexity_of_a_tiny_sample_is_above(loss: Loss, sample: tuple[Vector, Vector]) -> None:
    sigma, upsilon = every_sign(len(sample[0]), len(sample[1]))
    for radius in (0.1, 3.0):
        brute = brute_suprema(loss.value, *sample, sigma, upsilon, disc(radius, directions=48, circles=4)).mean()
        assert brute <= bound_of(loss, *sample, radius) + 1e-12


@pytest.mark.parametrize("sizes", [(30, 30), (5, 80), (80, 5)])
@pytest.mark.parametrize("name", ["sigmoid", "ramp", "logistic"])
def test_no_climb_leads_above(name: str, sizes: tuple[int, int]) -> None:
    rng, loss = np.random.default_rng(0), get_loss(name)
    X, X_prime = rng.normal(size=(sizes[0], 5)), rng.normal(size=(sizes[1], 5)) + 0.5
    for radius in (0.1, 2.0):
        below = rademacher_from_below(loss, X, X_prime, radius=radius, draws=40, starts=3, rng=rng)
        assert below.mean + 4 * below.standard_error <= bound_of(loss, X, X_prime, radius)


def test_constant_cannot_be_smaller() -> None:
    # One partner, and all others at one point: the complexity comes as near to the bound as one likes.
    X, X_prime = np.ones((12, 1)), np.zeros((1, 1))
    exact = linear_suprema(X, X_prime, *every_sign(12, 1), radius=1.0).mean()
    assert exact / bound_of(get_loss("unhinged"), X, X_prime, radius=1.0) > 0.75


def test_formula_and_spread() -> None:
    assert contraction_bound(16, 25, radius=3.0, spread=2.0, lipschitz=0.5) == pytest.approx(3 * (1 / 4 + 1 / 5))
    rng = np.random.default_rng(0)
    X, X_prime = rng.normal(size=(7, 3)) + 1e6, rng.normal(size=(9, 3)) + 1e6
    pairs = [np.sum((x - x_prime) ** 2) for x in X for x_prime in X_prime]
    assert rms_distance(X, X_prime) == pytest.approx(np.sqrt(np.mean(pairs)), rel=1e-8)


@pytest.mark.parametrize("name", ["radius", "spread", "lipschitz"])
def test_refuses(name: str) -> None:
    values = {"radius": 1.0, "spread": 1.0, "lipschitz": 1.0} | {name: -1.0}
    with pytest.raises(SettingError, match=rf"{name} must be a finite number above 0; got -1\.0"):
        contraction_bound(3, 4, **values)
    with pytest.raises(SettingError, match="n_cp is a number of documents"):
        contraction_bound(0, 4, radius=1.0, spread=1.0, lipschitz=1.0)
