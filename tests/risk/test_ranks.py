from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings

from keysift.losses import get_loss
from keysift.risk import ranks_risk
from keysift.risk.pairs import Scores
from tests.risk.cases import EIGHTHS, EXTREMES, Problem, assert_agrees_with_pairs, problems

ZERO_ONE = get_loss("zero_one")


@settings(deadline=None, max_examples=50)
@given(problem=problems(EIGHTHS))
def test_agrees_with_pairs_on_ties(problem: Problem) -> None:
    assert_agrees_with_pairs(ranks_risk, ZERO_ONE, problem)


@pytest.mark.parametrize("problem", EXTREMES)
def test_extremes(problem: Problem) -> None:
    assert_agrees_with_pairs(ranks_risk, ZERO_ONE, problem)


@pytest.mark.parametrize("rising", [np.exp, lambda s: s**3 + s, lambda s: 7 * s - 2], ids=["exp", "cubic", "line"])
@settings(deadline=None, max_examples=50)
@given(problem=problems(EIGHTHS))
def test_only_the_order_counts(rising: Callable[[Scores], Scores], problem: Problem) -> None:
    positive, negative, w, v = problem
    mapped = ranks_risk(ZERO_ONE, rising(positive), rising(negative), w, v)
    assert mapped.value == ranks_risk(ZERO_ONE, *problem).value
