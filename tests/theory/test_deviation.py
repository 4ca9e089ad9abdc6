import itertools
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.errors import SettingError
from keysift.risk.losses import get_loss
from keysift.risk.pairs import pairs_risk
from keysift.risk.sides import Sides
from keysift.theory import estimation_error_from_deviation, uniform_deviation_bound
from keysift.theory.affine import corrupted_from_clean
from keysift.theory.bound import estimation_error_bound
from keysift.theory.contraction import contraction_bound
from keysift.theory.lipschitz import lipschitz_constant

SIZES = st.integers(1, 10**6)
DELTAS = st.floats(1e-9, 0.999)


@given(n=SIZES, m=SIZES, delta=DELTAS, K=st.floats(0.01, 100.0), rademacher=st.floats(0.0, 5.0))
def test_lemma_4_is_the_papers_formula_but_for_the_two(
    n: int, m: int, delta: float, K: float, rademacher: float
) -> None:
    printed = uniform_deviation_bound(K=K, n_cp=n, n_cn=m, delta=delta, rademacher=rademacher, as_printed=True)
    assert printed == pytest.approx(K * sqrt((n + m) * log(1 / delta) / (2 * n * m)) + 2 * rademacher, rel=1e-12)
    # Both signs, each with half of the chance to fail.
    right = uniform_deviation_bound(K=K, n_cp=n, n_cn=m, delta=delta, rademacher=rademacher)
    half = uniform_deviation_bound(K=K, n_cp=n, n_cn=m, delta=delta / 2, rademacher=rademacher, as_printed=True)
    assert right == pytest.approx(half, rel=1e-12)
    assert right > printed


def test_lemma_4_as_printed_fails_for_a_single_function() -> None:
    # The score of the one positive is 1/4 or 3/4 at even chances, that of the negative 1/2: the pair costs 1 or 0, and
    # is always 1/2 from the true risk, which is 1/2.
    loss = get_loss("zero_one")
    risks = [pairs_risk(loss, Sides.of(np.array([score]), np.array([0.5]))).value for score in (0.25, 0.75)]
    assert risks == [1.0, 0.0]
    deviation = min(abs(risk - np.mean(risks)) for risk in risks)
    assert deviation == 0.5
    # A class of one function: the signs have mean zero, so its complexity is zero.
    signs = [(a + b) / 2 for a, b in itertools.product([-1, 1], repeat=2)]
    assert np.mean(signs) == 0
    printed, right = (
        uniform_deviation_bound(K=1.0, n_cp=1, n_cn=1, delta=0.9, rademacher=0.0, as_printed=as_printed)
        for as_printed in (True, False)
    )
    assert printed == pytest.approx(0.325, abs=5e-4)
    assert printed < deviation <= right


def test_lemma_4_holds_for_many_functions_and_samples() -> None:
    # Directions in the plane, sigmoid loss: how often is the largest deviation of a sample above the bound?
    rng, loss, n, m, delta = np.random.default_rng(0), get_loss("sigmoid"), 20, 30, 0.5
    angles = np.linspace(-np.pi, np.pi, 12, endpoint=False)
    directions = np.column_stack([np.cos(angles), np.sin(angles)])

    def risks(size: int, other: int) -> NDArray[np.float64]:
        x, x_prime = rng.normal([1.0, 0.0], size=(size, 2)), rng.normal(size=(other, 2))
        return np.array([pairs_risk(loss, Sides.of(x @ w, x_prime @ w)).value for w in directions])

    truth = risks(2000, 2000)
    # E |x - x'|^2 is four for the noise and one for the distance of the means.
    term = contraction_bound(n, m, radius=1.0, spread=sqrt(5), lipschitz=lipschitz_constant(loss))
    allowed = uniform_deviation_bound(K=1.0, n_cp=n, n_cn=m, delta=delta, rademacher=term)
    worst = [float(np.abs(risks(n, m) - truth).max()) for _ in range(60)]
    assert np.mean(np.array(worst) > allowed) <= delta
    assert max(worst) > 0.05


@given(
    empirical=st.lists(st.floats(0, 1), min_size=2, max_size=6),
    noise=st.lists(st.floats(-0.3, 0.3), min_size=6, max_size=6),
    theta=st.floats(0.55, 1.0),
    theta_prime=st.floats(0.0, 0.45),
)
def test_lemma_3_holds_for_any_class_of_risks(
    empirical: list[float], noise: list[float], theta: float, theta_prime: float
) -> None:
    # A class is a list of clean risks; each has its corrupted one by Theorem 2, and an empirical one somewhere near.
    clean = np.array(empirical)
    corrupted = np.array([corrupted_from_clean(risk, theta, theta_prime, K=1) for risk in clean])
    observed = corrupted + np.array(noise[: len(clean)])
    deviation = float(np.abs(corrupted - observed).max())
    error = clean[int(np.argmin(observed))] - clean.min()
    assert error <= estimation_error_from_deviation(deviation, theta=theta, theta_prime=theta_prime) + 1e-9


@given(n=SIZES, m=SIZES, delta=DELTAS, rademacher=st.floats(0.0, 5.0))
def test_theorem_5_is_lemma_4_put_into_lemma_3(n: int, m: int, delta: float, rademacher: float) -> None:
    deviation = uniform_deviation_bound(K=1.0, n_cp=n, n_cn=m, delta=delta, rademacher=rademacher, as_printed=True)
    bound = estimation_error_bound(
        K=1.0, n_cp=n, n_cn=m, delta=delta, theta=0.8, theta_prime=0.3, rademacher=rademacher
    )
    assert bound == estimation_error_from_deviation(deviation, theta=0.8, theta_prime=0.3)


@pytest.mark.parametrize("deviation", [-0.1, float("nan"), float("inf")])
def test_refuses_what_is_no_deviation(deviation: float) -> None:
    with pytest.raises(SettingError, match="deviation must be a finite number of 0 or more"):
        estimation_error_from_deviation(deviation, theta=0.8, theta_prime=0.3)


def test_refuses_sizes_and_chances_as_the_theorem_does() -> None:
    with pytest.raises(SettingError, match="n_cp is a number of documents"):
        uniform_deviation_bound(K=1.0, n_cp=0, n_cn=1, delta=0.1, rademacher=0.0)
    with pytest.raises(SettingError, match="delta must be above 0 and below 1"):
        uniform_deviation_bound(K=1.0, n_cp=1, n_cn=1, delta=1.0, rademacher=0.0)
    with pytest.raises(SettingError, match="theta must be above theta_prime"):
        estimation_error_from_deviation(0.1, theta=0.3, theta_prime=0.3)
