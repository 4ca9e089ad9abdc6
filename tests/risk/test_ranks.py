from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings

from keysift.risk.losses import get_loss
from keysift.risk.ranks import ranks_risk
from keysift.risk.sides import Scores, Sides
from tests.risk.cases import EIGHTHS, EXTREMES, assert_agrees_with_pairs, problems

ZERO_ONE = get_loss("zero_one")


@settings(deadline=None, max_examples=50)
@given(sides=problems(EIGHTHS))
def test_agrees_with_pairs_on_ties(sides: Sides) -> None:
    assert_agrees_with_pairs(ranks_risk, ZERO_ONE, sides)


@pytest.mark.parametrize("sides", EXTREMES)
def test_extremes(sides: Sides) -> None:
    assert_agrees_with_pairs(ranks_risk, ZERO_ONE, sides)


@pytest.mark.parametrize("rising", [np.exp, lambda s: s**3 + s, lambda s: 7 * s - 2], ids=["exp", "cubic", "line"])
@settings(deadline=None, max_examples=50)
@given(sides=problems(EIGHTHS))
def test_only_the_order_counts(rising: Callable[[Scores], Scores], sides: Sides) -> None:
    mapped = ranks_risk(ZERO_ONE, sides.at(rising(sides.positive), rising(sides.negative)))
    assert mapped.value == ranks_risk(ZERO_ONE, sides).value
