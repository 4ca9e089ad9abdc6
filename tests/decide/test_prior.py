import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.decide.prior import PriorEstimate, above_break, check_prior, given_prior
from keysift.errors import SettingError

SCORES = st.lists(st.one_of(st.floats(-50, 50), st.integers(-3, 3).map(float)), min_size=2, max_size=60).map(np.array)


def usual(value: float = 0.12) -> PriorEstimate:
    return PriorEstimate(value, 0.01, 0.6, "estimate", "as in other corpora")


def slow_break(scores: np.ndarray) -> float:
    """Every split of the sorted scores, tried in turn."""
    ordered = np.sort(scores)
    variances = [
        place * (len(ordered) - place) * (ordered[place:].mean() - ordered[:place].mean()) ** 2
        for place in range(1, len(ordered))
    ]
    return 1 - (1 + int(np.argmax(variances))) / len(ordered)


def test_the_break_is_where_the_variance_between_the_parts_is_largest() -> None:
    rng = np.random.default_rng(0)
    for share in (0.05, 0.3, 0.6):
        relevant = rng.random(2000) < share
        scores = rng.normal(size=2000) + 6 * relevant
        assert above_break(scores) == pytest.approx(slow_break(scores))
        assert above_break(scores) == pytest.approx(relevant.mean(), abs=0.01)


def test_empty_documents_are_no_break() -> None:
    scores = np.concatenate([np.random.default_rng(0).normal(size=900), np.full(100, 8.0)])
    with_empty = np.concatenate([scores, np.full(50, -1e6)])
    assert above_break(with_empty) == pytest.approx(100 / 1050, abs=0.01)


@given(SCORES)
def test_the_share_to_cut_is_a_share(scores: np.ndarray) -> None:
    assert 0 < usual().share_to_cut(scores) < 1
    assert given_prior(0.3).share_to_cut(scores) == 0.3
    assert PriorEstimate(0.2, 0.1, 0.4, "audit", "").share_to_cut(scores) == 0.2


def test_a_usual_prior_meets_the_break_halfway() -> None:
    scores = np.array([0.0] * 50 + [1.0] * 50)
    assert usual(0.1).share_to_cut(scores) == pytest.approx(0.25)  # odds of 1/9 and 1: 1/3
    assert usual(0.1).share_to_cut(np.ones(100)) == 0.1


@pytest.mark.parametrize(
    ("basis", "provisional"), [("estimate", True), ("heuristic", True), ("given", False), ("audit", False)]
)
def test_what_nobody_said_is_provisional(basis: str, provisional: bool) -> None:
    assert PriorEstimate(0.1, 0.1, 0.1, basis, "").provisional is provisional


def test_a_prior_in_words() -> None:
    assert str(given_prior(0.25)) == "0.25, as given"
    assert str(PriorEstimate(0.2512, 0.1, 0.4444, "audit", "from 20 answers")) == (
        "0.251 (between 0.1 and 0.44, from 20 answers)"
    )


@pytest.mark.parametrize("given_value", [0.0, 1.0, -0.1, float("nan"), "guess", None, True, [0.1]])
def test_priors_that_cannot_be(given_value: Any) -> None:
    with pytest.raises(SettingError, match=re.escape(f"got {given_value!r}")):
        check_prior(given_value)
