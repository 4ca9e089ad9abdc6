import numpy as np
import pytest
from hypothesis import given, settings

from keysift.risk.losses import Loss
from keysift.risk.pairs import Risk, pairs_risk
from keysift.risk.sides import Scores, Sides
from tests.risk.cases import EIGHTHS, FLOATS, SHEET, assert_same, loss_id, of_form, problems

every_loss = pytest.mark.parametrize("loss", SHEET, ids=loss_id)


def loop_risk(loss: Loss, sides: Sides) -> Risk:
    """Eq. 2, word for word."""
    positive, negative, w, v = sides.positive, sides.negative, sides.positive_weights, sides.negative_weights
    value, by_positive, by_negative = 0.0, np.zeros(len(positive)), np.zeros(len(negative))
    for i in range(len(positive)):
        for j in range(len(negative)):
            share = w[i] * v[j] / (w.sum() * v.sum())
            value += share * float(loss.value(positive[i] - negative[j]))
            slope = share * float(loss.slope(positive[i] - negative[j]))
            by_positive[i] += slope
            by_negative[j] -= slope
    return Risk(value, by_positive, by_negative)


@every_loss
@settings(deadline=None, max_examples=25)
@given(sides=problems(EIGHTHS))
def test_agrees_with_a_double_loop(loss: Loss, sides: Sides) -> None:
    assert_same(pairs_risk(loss, sides), loop_risk(loss, sides), atol=1e-10)


@every_loss
def test_blocks_change_nothing(loss: Loss, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = Sides.of(np.arange(7.0), np.arange(3.0) / 2, np.arange(1.0, 8.0))
    whole = pairs_risk(loss, sides)
    for block in (1, 7):  # Fewer pairs than negatives, and blocks that do not divide the positives.
        monkeypatch.setattr("keysift.risk.pairs.BLOCK", block)
        assert_same(pairs_risk(loss, sides), whole, atol=1e-12)


@pytest.mark.parametrize("loss", [*of_form("smooth"), *of_form("squared")], ids=loss_id)
@settings(deadline=None, max_examples=25)
@given(sides=problems(FLOATS))
def test_gradient_is_the_derivative_by_each_score(loss: Loss, sides: Sides) -> None:
    positive, negative = sides.positive, sides.negative
    risk, h = pairs_risk(loss, sides), 1e-5

    def difference(by_positive: Scores, by_negative: Scores) -> float:
        up = pairs_risk(loss, sides.at(positive + h * by_positive, negative + h * by_negative))
        down = pairs_risk(loss, sides.at(positive - h * by_positive, negative - h * by_negative))
        return (up.value - down.value) / (2 * h)

    nobody_positive, nobody_negative = np.zeros(len(positive)), np.zeros(len(negative))
    by_positive = [difference(one, nobody_negative) for one in np.eye(len(positive))]
    by_negative = [difference(nobody_positive, one) for one in np.eye(len(negative))]
    np.testing.assert_allclose(risk.positive_gradient, by_positive, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(risk.negative_gradient, by_negative, rtol=1e-6, atol=1e-6)
