import pytest

from keysift.audit import Estimate
from keysift.audit.guarantee import guarantee
from keysift.theory import contraction_bound, estimation_error_bound

THETA, THETA_PRIME = Estimate(0.8, 0.7, 0.9), Estimate(0.3, 0.2, 0.4)


def test_the_measured_shares_go_into_the_bound() -> None:
    result = guarantee(THETA, THETA_PRIME, Estimate(0.5, 0.35, 0.6), 4000, 6000)
    term = contraction_bound(4000, 6000, radius=1.0, spread=10.0, lipschitz=0.25)
    expected = estimation_error_bound(
        K=1.0, n_cp=4000, n_cn=6000, delta=0.05, theta=0.8, theta_prime=0.3, rademacher=term
    )
    assert result.bound == pytest.approx(expected)
    assert result.worst == pytest.approx(expected * 0.5 / 0.35)
    assert f"{expected:.2f}" in result.sentence
    assert "2.0 times" in result.sentence


def test_a_bound_above_one_says_so() -> None:
    result = guarantee(THETA, THETA_PRIME, Estimate(0.5, -0.1, 0.6), 40, 60)
    assert result.bound is not None
    assert result.bound > 1
    assert "says nothing" in result.sentence
    assert "no bound at all" in result.sentence


def test_no_gap_no_promise() -> None:
    result = guarantee(THETA_PRIME, THETA, Estimate(-0.5, -0.6, -0.4), 40, 60)
    assert (result.bound, result.worst, result.needed) == (None, None, None)
    assert "promises nothing" in result.sentence
