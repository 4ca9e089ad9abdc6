import numpy as np
import pytest
from hypothesis import given, settings

from keysift.errors import SettingError
from keysift.losses import Loss, get_loss
from keysift.risk import ordered_risk
from tests.risk.cases import EIGHTHS, EXTREMES, Problem, assert_agrees_with_pairs, loss_id, of_form, problems

every_piecewise_loss = pytest.mark.parametrize("loss", of_form("piecewise linear"), ids=loss_id)


@every_piecewise_loss
@settings(deadline=None, max_examples=50)
@given(problem=problems(EIGHTHS))
def test_agrees_with_pairs_on_knots_and_ties(loss: Loss, problem: Problem) -> None:
    assert_agrees_with_pairs(ordered_risk, loss, problem)


@every_piecewise_loss
@pytest.mark.parametrize("problem", EXTREMES)
def test_extremes(loss: Loss, problem: Problem) -> None:
    assert_agrees_with_pairs(ordered_risk, loss, problem)


def test_needs_a_piecewise_linear_loss() -> None:
    with pytest.raises(SettingError, match="piecewise-linear loss; sigmoid is smooth"):
        ordered_risk(get_loss("sigmoid"), np.zeros(1), np.zeros(1))
