from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from keysift.risk.losses import Form, Loss, get_loss
from keysift.risk.pairs import Method, pairs_risk
from keysift.risk.pairwise import SHORTCUTS, pairwise_risk
from keysift.risk.sides import Scores, Sides
from tests.risk.cases import SHEET, assert_agrees_with_pairs, assert_same, loss_id

every_loss = pytest.mark.parametrize("loss", SHEET, ids=loss_id)
every_symmetric_loss = pytest.mark.parametrize("loss", [loss for loss in SHEET if loss.symmetric], ids=loss_id)
UNIT_SCORES = st.lists(st.floats(-1, 1), min_size=1, max_size=10).map(np.array)
SHARES = st.floats(0, 1)


def tolerance(loss: Loss) -> float:
    return 1e-6 if loss.form == "smooth" else 1e-9


def reach_of_symmetry(loss: Loss) -> float:
    """Scores up to here, on either side of zero, have margins for which the loss is symmetric if it ever is."""
    return min(10.0, loss.symmetric_within / 2)


def corrupted_risk(
    method: Method, loss: Loss, positive: Scores, negative: Scores, theta: float, theta_: float
) -> float:
    """R_corr with CP and CN the same documents, a share theta (theta_) of their weight on the positive ones."""
    scores = np.concatenate([positive, negative])

    def mixture(share: float) -> Scores:
        sizes = [len(positive), len(negative)]
        return np.repeat([share / sizes[0], (1 - share) / sizes[1]], sizes)

    return method(loss, Sides.of(scores, scores, mixture(theta), mixture(theta_))).value


def test_every_form_has_a_shortcut() -> None:
    assert set(SHORTCUTS) == set(get_args(Form))


@every_loss
def test_agrees_with_pairs(loss: Loss) -> None:
    rng = np.random.default_rng(0)
    sides = Sides.of(rng.normal(1, 3, 20), rng.normal(-1, 3, 2000), rng.uniform(0, 1, 20))
    assert_agrees_with_pairs(pairwise_risk, loss, sides, atol=tolerance(loss))


@every_loss
def test_a_weight_of_two_is_a_score_twice(loss: Loss) -> None:
    rng = np.random.default_rng(0)
    positive, negative = rng.normal(1, 2, 30), rng.normal(-1, 2, 40)
    w, v = rng.integers(1, 4, 30), rng.integers(1, 4, 40)
    repeated = pairwise_risk(loss, Sides.of(np.repeat(positive, w), np.repeat(negative, v)))
    weighted = pairwise_risk(loss, Sides.of(positive, negative, w.astype(float), v.astype(float)))
    once = pairwise_risk(loss, Sides.of(positive, negative, 0.1 * w.astype(float), 10 * v.astype(float)))
    assert_same(once, weighted, atol=1e-12)
    assert repeated.value == pytest.approx(weighted.value, abs=1e-9)
    for short, long, times in [
        (weighted.positive_gradient, repeated.positive_gradient, w),
        (weighted.negative_gradient, repeated.negative_gradient, v),
    ]:
        np.testing.assert_allclose(np.repeat(short / times, times), long, atol=1e-9)


@pytest.mark.parametrize("method", [pairs_risk, pairwise_risk])
@every_symmetric_loss
@settings(deadline=None, max_examples=30)
@given(positive=UNIT_SCORES, negative=UNIT_SCORES, theta=SHARES, theta_=SHARES)
def test_theorem_2(method: Method, loss: Loss, positive: Scores, negative: Scores, theta: float, theta_: float) -> None:
    """R_corr = (theta - theta') R_clean + K (1 - theta + theta') / 2."""
    assume(theta > theta_)
    assert loss.K is not None
    reach = reach_of_symmetry(loss)
    positive, negative = reach * positive, reach * negative
    clean = method(loss, Sides.of(positive, negative)).value
    expected = (theta - theta_) * clean + loss.K * (1 - theta + theta_) / 2
    atol = 1e-9 if method is pairs_risk else 2 * tolerance(loss)
    assert corrupted_risk(method, loss, positive, negative, theta, theta_) == pytest.approx(expected, abs=atol)


@pytest.mark.parametrize("method", [pairs_risk, pairwise_risk])
@every_loss
def test_theorem_2_needs_the_symmetry(method: Method, loss: Loss) -> None:
    """R_corr - (theta - theta') R_clean is the same for all scores with a symmetric loss, and only then."""
    theta, theta_, ones, reach = 0.8, 0.3, np.ones(3), reach_of_symmetry(loss)
    rests = [
        corrupted_risk(method, loss, gap * ones, -gap * ones, theta, theta_)
        - (theta - theta_) * method(loss, Sides.of(gap * ones, -gap * ones)).value
        for gap in (0.0, reach / 2, reach)
    ]
    assert (np.ptp(rests) < 1e-6) == loss.symmetric


def test_theorem_2_fails_outside_the_interval_of_the_barrier_hinge() -> None:
    loss, far = get_loss("barrier_hinge"), np.array([40.0])
    assert loss.K is not None
    expected = 0.5 * pairs_risk(loss, Sides.of(far, -far)).value + loss.K * 0.5 / 2
    assert corrupted_risk(pairs_risk, loss, far, -far, 0.8, 0.3) > expected + 1
