import numpy as np
import pytest
from hypothesis import given, settings

from keysift.errors import SettingError
from keysift.risk.losses import Loss, get_loss
from keysift.risk.ordered import ordered_risk
from keysift.risk.sides import Sides
from tests.risk.cases import EIGHTHS, EXTREMES, assert_agrees_with_pairs, loss_id, of_form, problems

every_piecewise_loss = pytest.mark.parametrize("loss", of_form("piecewise linear"), ids=loss_id)


@every_piecewise_loss
@settings(deadline=None, max_examples=50)
@given(sides=problems(EIGHTHS))
def test_agrees_with_pairs_on_knots_and_ties(loss: Loss, sides: Sides) -> None:
    assert_agrees_with_pairs(ordered_risk, loss, sides)


@every_piecewise_loss
@pytest.mark.parametrize("sides", EXTREMES)
def test_extremes(loss: Loss, sides: Sides) -> None:
    assert_agrees_with_pairs(ordered_risk, loss, sides)


def test_needs_a_piecewise_linear_loss() -> None:
    with pytest.raises(SettingError, match="piecewise-linear loss; sigmoid is smooth"):
        ordered_risk(get_loss("sigmoid"), Sides.of(np.zeros(1), np.zeros(1)))
