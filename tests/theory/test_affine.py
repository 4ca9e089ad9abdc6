import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.errors import SettingError
from keysift.risk.losses import LOSSES, Loss, barrier_hinge, get_loss
from keysift.risk.ranks import ranks_risk
from keysift.risk.sides import Sides
from keysift.theory.affine import (
    clean_auc,
    clean_from_corrupted,
    corrupted_auc,
    corrupted_from_clean,
    symmetry_constant,
)
from keysift.theory.excess import split_mixture
from tests.risk.cases import EIGHTHS, SHEET, loss_id, problems

SYMMETRIC = [loss for loss in SHEET if loss.symmetric]
THETAS = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted).filter(lambda pair: pair[1] - pair[0] > 1e-3)


def within_range(loss: Loss, sides: Sides) -> Sides:
    """The same with scores so close together that the loss is symmetric for every margin."""
    everyone = np.concatenate([sides.positive, sides.negative])
    widest = float(everyone.max() - everyone.min())
    factor = 1.0 if widest <= loss.symmetric_within else loss.symmetric_within / widest * (1 - 1e-9)
    return sides.at(sides.positive * factor, sides.negative * factor)


@pytest.mark.parametrize("loss", SYMMETRIC, ids=loss_id)
@settings(max_examples=50)
@given(sides=problems(EIGHTHS), thetas=THETAS)
def test_theorem_2_is_exact_for_symmetric_losses(loss: Loss, sides: Sides, thetas: list[float]) -> None:
    sides = within_range(loss, sides)
    P, N, a, b = sides.positive, sides.negative, sides.positive_weights, sides.negative_weights
    theta_prime, theta = thetas
    parts = split_mixture(loss, P, N, theta, theta_prime, positive_weights=a, negative_weights=b)
    K = symmetry_constant(loss, float(np.ptp(np.concatenate([P, N]))))
    assert corrupted_from_clean(parts.clean, theta, theta_prime, K) == pytest.approx(parts.corrupted, abs=1e-11)
    gap = theta - theta_prime
    assert clean_from_corrupted(parts.corrupted, theta, theta_prime, K) == pytest.approx(parts.clean, abs=1e-11 / gap)
    assert parts.excess == pytest.approx(K * (1 - gap) / 2, abs=1e-11)


@pytest.mark.parametrize("loss", [loss for loss in LOSSES.values() if not loss.symmetric], ids=loss_id)
def test_excess_of_other_losses_depends_on_the_scores(loss: Loss) -> None:
    near, far = (split_mixture(loss, [s, 2 * s], [-s, 0.0], 0.75, 0.25).excess for s in (0.5, 2.0))
    assert abs(near - far) > 0.01


def test_theorem_2_fails_beyond_the_range_of_the_barrier_hinge() -> None:
    parts = split_mixture(barrier_hinge(b=3, r=1), [2.0], [0.0], 0.75, 0.25)
    assert corrupted_from_clean(parts.clean, 0.75, 0.25, K=2.0) != pytest.approx(parts.corrupted, abs=0.1)


@settings(max_examples=50)
@given(sides=problems(EIGHTHS), thetas=THETAS)
def test_auc_between_mixtures(sides: Sides, thetas: list[float]) -> None:
    P, N = sides.positive, sides.negative
    theta_prime, theta = thetas
    zero_one = get_loss("zero_one")
    everyone = np.concatenate([P, N])
    of_class = np.repeat([1 / len(P), 1 / len(N)], [len(P), len(N)])
    cp, cn = (of_class * np.repeat([share, 1 - share], [len(P), len(N)]) for share in (theta, theta_prime))
    clean = 1 - ranks_risk(zero_one, Sides.of(P, N)).value
    corrupted = 1 - ranks_risk(zero_one, Sides.of(everyone, everyone, cp, cn)).value
    assert corrupted_auc(clean, theta, theta_prime) == pytest.approx(corrupted, abs=1e-12)
    assert clean_auc(corrupted, theta, theta_prime) == pytest.approx(clean, abs=1e-12 / (theta - theta_prime))


def test_known_values() -> None:
    assert corrupted_auc(1.0, 1.0, 0.0) == 1.0
    assert corrupted_auc(0.9, 0.8, 0.3) == pytest.approx(0.7)
    assert clean_auc(0.8, 0.8, 0.4) == pytest.approx(1.25)  # no draws from the classes: left as it is
    assert corrupted_from_clean(30.0, 0.8, 0.4, K=100.0) == pytest.approx(0.4 * 30 + 30)


@pytest.mark.parametrize("function", [corrupted_from_clean, clean_from_corrupted])
@pytest.mark.parametrize(
    ("theta", "theta_prime", "K", "message"),
    [
        (0.3, 0.4, 1.0, r"theta must be above theta_prime, .*got theta=0\.3 and theta_prime=0\.4; swap the sets"),
        (0.5, 0.5, 1.0, r"got theta=0\.5 and theta_prime=0\.5"),
        (1.1, 0.5, 1.0, r"theta is a share of positives and must be between 0 and 1; got 1\.1"),
        (0.5, -0.1, 1.0, r"theta_prime is a share .* got -0\.1"),
        (float("nan"), 0.1, 1.0, "theta is a share .* got nan"),
        (0.5, 0.1, 0.0, r"K must be a finite number above 0; got 0\.0"),
        (0.5, 0.1, np.inf, "K must be a finite number above 0; got inf"),
    ],
)
def test_refuses(function: object, theta: float, theta_prime: float, K: float, message: str) -> None:
    assert callable(function)
    with pytest.raises(SettingError, match=message):
        function(0.5, theta, theta_prime, K)


def test_constants() -> None:
    assert {loss.name: symmetry_constant(loss) for loss in SYMMETRIC[:5]} == {
        "zero_one": 1.0,
        "sigmoid": 1.0,
        "ramp": 1.0,
        "unhinged": 2.0,
        "barrier_hinge": 100.0,
    }
    with pytest.raises(SettingError, match=r"needs a symmetric loss \(zero_one, .*barrier_hinge\); got logistic\."):
        symmetry_constant(get_loss("logistic"))
    with pytest.raises(SettingError, match=r"barrier_hinge is symmetric only for margins up to 50; .* 51 apart"):
        symmetry_constant(get_loss("barrier_hinge"), widest=51.0)
    with pytest.raises(SettingError, match="nan apart"):
        symmetry_constant(get_loss("sigmoid"), widest=np.nan)
