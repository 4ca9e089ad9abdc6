import re
from typing import Any

import pytest

from keysift.decide.prior import PriorEstimate, check_prior, given_prior
from keysift.errors import SettingError


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
