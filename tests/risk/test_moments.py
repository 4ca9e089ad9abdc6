import pytest
from hypothesis import given, settings

from keysift.risk.losses import get_loss
from keysift.risk.moments import moments_risk
from keysift.risk.sides import Sides
from tests.risk.cases import EXTREMES, FLOATS, assert_agrees_with_pairs, problems


@settings(deadline=None, max_examples=50)
@given(sides=problems(FLOATS))
def test_agrees_with_pairs(sides: Sides) -> None:
    assert_agrees_with_pairs(moments_risk, get_loss("squared"), sides)


@pytest.mark.parametrize("sides", EXTREMES)
def test_extremes(sides: Sides) -> None:
    assert_agrees_with_pairs(moments_risk, get_loss("squared"), sides)
