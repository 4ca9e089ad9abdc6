import pytest
from hypothesis import given, settings

from keysift.losses import get_loss
from keysift.risk import moments_risk
from tests.risk.cases import EXTREMES, FLOATS, Problem, assert_agrees_with_pairs, problems


@settings(deadline=None, max_examples=50)
@given(problem=problems(FLOATS))
def test_agrees_with_pairs(problem: Problem) -> None:
    assert_agrees_with_pairs(moments_risk, get_loss("squared"), problem)


@pytest.mark.parametrize("problem", EXTREMES)
def test_extremes(problem: Problem) -> None:
    assert_agrees_with_pairs(moments_risk, get_loss("squared"), problem)
