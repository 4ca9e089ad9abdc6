import numpy as np
import pytest
from numpy.typing import NDArray

from keysift.errors import SettingError
from keysift.risk.losses import LOSSES, Loss, barrier_hinge, get_loss

SHEET = [
    *(pytest.param(loss, id=name) for name, loss in LOSSES.items()),
    pytest.param(barrier_hinge(b=3, r=1), id="barrier_hinge-3-1"),
    pytest.param(barrier_hinge(b=1.5, r=0.25), id="barrier_hinge-1.5-0.25"),
]
GRID = np.arange(-80 * 8, 80 * 8 + 1) / 8  # Sums and products of eighths do not round.

every_loss = pytest.mark.parametrize("loss", SHEET)


def knots(loss: Loss) -> tuple[float, ...]:
    if loss.form == "zero-one":
        return (0.0,)
    return loss.hinges.knots if loss.hinges else ()


def away_from_knots(loss: Loss) -> NDArray[np.float64]:
    z = np.random.default_rng(0).uniform(-80, 80, 2000)
    z = np.concatenate([z, z / 20, z / 200])
    return z[np.all([np.abs(z - knot) > 1e-3 for knot in knots(loss)] or [z == z], axis=0)]


def both_sides(loss: Loss, z: NDArray[np.float64]) -> NDArray[np.float64]:
    return loss.value(z) + loss.value(-z)


@every_loss
def test_slope_is_the_derivative(loss: Loss) -> None:
    z, h = away_from_knots(loss), 1e-5
    difference = (loss.value(z + h) - loss.value(z - h)) / (2 * h)
    np.testing.assert_allclose(loss.slope(z), difference, rtol=1e-6, atol=1e-6)


@every_loss
def test_at_a_knot_the_slope_is_the_one_on_the_right(loss: Loss) -> None:
    for knot in knots(loss):
        assert loss.slope(knot) == loss.slope(knot + 1e-9)


@every_loss
def test_symmetric_with_its_constant_or_not_at_all(loss: Loss) -> None:
    if loss.K is None:
        assert not loss.symmetric
        assert np.ptp(both_sides(loss, GRID)) > 0.1
        return
    assert loss.symmetric
    within = np.abs(GRID) <= loss.symmetric_within
    # The two exponentials of the sigmoid are the only ones that may round.
    np.testing.assert_allclose(both_sides(loss, GRID[within]), loss.K, rtol=0, atol=2.3e-16 * (loss.form == "smooth"))
    assert np.all(both_sides(loss, GRID[~within]) > loss.K)


@every_loss
def test_finite_far_out(loss: Loss) -> None:
    for z in (-1e4, 1e4):
        assert np.isfinite(loss.value(z))
        assert np.isfinite(loss.slope(z))


@every_loss
def test_shape_is_kept(loss: Loss) -> None:
    assert loss.value([[0.0, 1.0, 2.0]]).shape == loss.slope([[0.0, 1.0, 2.0]]).shape == (1, 3)
    assert loss.value(0).shape == loss.slope(0).shape == ()


@pytest.mark.parametrize(
    ("name", "at_minus_two", "at_zero", "at_two"),
    [
        ("zero_one", 1.0, 0.5, 0.0),
        ("sigmoid", 0.8807970779778823, 0.5, 0.11920292202211755),
        ("ramp", 1.0, 0.5, 0.0),
        ("unhinged", 3.0, 1.0, -1.0),
        ("barrier_hinge", 52.0, 50.0, 48.0),
        ("logistic", 2.1269280110429727, np.log(2), 0.1269280110429725),
        ("squared", 9.0, 1.0, 1.0),
        ("hinge", 3.0, 1.0, 0.0),
        ("savage", 0.7758034925743758, 0.25, 0.014209336618611037),
    ],
)
def test_known_values(name: str, at_minus_two: float, at_zero: float, at_two: float) -> None:
    np.testing.assert_allclose(get_loss(name).value([-2.0, 0.0, 2.0]), [at_minus_two, at_zero, at_two], rtol=1e-14)


def test_known_constants() -> None:
    constants = {"zero_one": 1.0, "sigmoid": 1.0, "ramp": 1.0, "unhinged": 2.0, "barrier_hinge": 100.0}
    assert {name: loss.K for name, loss in LOSSES.items() if loss.symmetric} == constants


@pytest.mark.parametrize(("b", "r"), [(200, 50), (3, 1), (1.5, 0.25)])
def test_barrier_hinge_is_its_formula(b: float, r: float) -> None:
    z = GRID
    formula = np.maximum(-b * (r + z) + r, np.maximum(b * (z - r), r - z))
    np.testing.assert_allclose(barrier_hinge(b, r).value(z), formula, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize(("b", "r"), [(1, 1), (0.5, 1), (-3, 1), (3, 0), (3, -1), (np.nan, 1), (3, np.nan)])
def test_barrier_hinge_refuses(b: float, r: float) -> None:
    with pytest.raises(SettingError, match=f"b > 1 and r > 0; got b={b}, r={r}"):
        barrier_hinge(b, r)


def test_get_loss_by_name_or_as_it_is() -> None:
    own = barrier_hinge(b=3, r=1)
    assert get_loss(own) is own
    assert all(get_loss(name) is loss and loss.name == name for name, loss in LOSSES.items())


def test_unknown_name_lists_the_names() -> None:
    with pytest.raises(SettingError, match="got 'sigmod'") as error:
        get_loss("sigmod")
    assert all(name in str(error.value) for name in LOSSES)
