import numpy as np
import pytest

from keysift.risk.losses import Loss, get_loss
from keysift.theory.ascent import climb, rademacher_from_below
from keysift.theory.rademacher import linear_suprema
from tests.risk.cases import loss_id
from tests.theory.signs import brute_suprema, disc, every_sign


@pytest.mark.parametrize("loss", [get_loss(name) for name in ("sigmoid", "logistic", "savage")], ids=loss_id)
@pytest.mark.parametrize("radius", [0.5, 4.0])
def test_climbs_as_high_as_a_fine_grid(loss: Loss, radius: float) -> None:
    rng = np.random.default_rng(3)
    X, X_prime = rng.normal(size=(3, 2)), rng.normal(size=(2, 2))
    sigma, upsilon = every_sign(3, 2)
    points = disc(radius, directions=90, circles=25)
    grid = brute_suprema(loss.value, X, X_prime, sigma, upsilon, points)
    grid -= (sigma.mean(axis=1) + upsilon.mean(axis=1)) * float(loss.value(0.0))
    both = zip(sigma, upsilon, strict=True)
    found = np.array([climb(loss, X, X_prime, *signs, radius=radius, starts=6, rng=rng) for signs in both])
    assert (found >= grid - 0.01).all()
    assert (found <= grid + 0.02 * radius).all()  # the grid is that coarse; a climb cannot leave the disc


def test_is_the_closed_form_for_the_unhinged_loss() -> None:
    rng = np.random.default_rng(0)
    X, X_prime = rng.normal(size=(5, 4)), rng.normal(size=(6, 4))
    sigma, upsilon = rng.choice([-1.0, 1.0], size=(20, 5)), rng.choice([-1.0, 1.0], size=(20, 6))
    closed = linear_suprema(X, X_prime, sigma, upsilon, radius=2.0)
    for row, expected in enumerate(closed):
        got = climb(get_loss("unhinged"), X, X_prime, sigma[row], upsilon[row], radius=2.0, starts=1, rng=rng)
        assert got == pytest.approx(expected, abs=1e-9)


def test_a_narrow_ball_sees_only_the_slope_at_zero() -> None:
    X, X_prime = np.random.default_rng(1).normal(size=(2, 3, 2))
    got = [
        climb(get_loss("sigmoid"), X, X_prime, *signs, radius=1e-3, starts=1, rng=np.random.default_rng(0))
        for signs in zip(*every_sign(3, 3), strict=True)
    ]
    np.testing.assert_allclose(got, linear_suprema(X, X_prime, *every_sign(3, 3), radius=1e-3) / 4, atol=1e-7)


def test_repeats_with_the_same_generator() -> None:
    X, X_prime = np.random.default_rng(1).normal(size=(2, 5, 2))
    once, again = (
        rademacher_from_below(get_loss("ramp"), X, X_prime, radius=2.0, draws=5, rng=np.random.default_rng(7))
        for _ in range(2)
    )
    assert once == again
