from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.errors import SettingError
from keysift.features.linear import LinearModel
from keysift.learn.linear_fit import fit_linear
from keysift.risk.losses import get_loss
from keysift.risk.pairs import pairs_risk
from keysift.risk.pairwise import pairwise_risk
from keysift.risk.sides import Sides
from keysift.theory.bound import estimation_error_bound
from keysift.theory.contraction import contraction_bound
from keysift.theory.lipschitz import lipschitz_constant

CASE = {"K": 1.0, "n_cp": 400, "n_cn": 900, "delta": 0.05, "theta": 0.8, "theta_prime": 0.3, "rademacher": 0.02}


def bound(**changed: float) -> float:
    values = CASE | changed
    return estimation_error_bound(
        K=values["K"],
        n_cp=int(values["n_cp"]),
        n_cn=int(values["n_cn"]),
        delta=values["delta"],
        theta=values["theta"],
        theta_prime=values["theta_prime"],
        rademacher=values["rademacher"],
    )


def test_is_the_papers_formula() -> None:
    n, m, K, gap = 400, 900, 3.0, 0.8 - 0.3
    expected = 1 / gap * (K * sqrt(2 * (n + m) * log(1 / 0.05) / (n * m))) + 4 * 0.02 / gap
    assert bound(K=K) == pytest.approx(expected, rel=1e-14)


@given(n=st.integers(1, 10**6), m=st.integers(1, 10**6), more=st.integers(1, 10**6))
def test_falls_with_documents_on_either_side(n: int, m: int, more: int) -> None:
    assert bound(n_cp=n + more, n_cn=m) < bound(n_cp=n, n_cn=m)
    assert bound(n_cp=n, n_cn=m + more) < bound(n_cp=n, n_cn=m)
    assert bound(n_cp=n, n_cn=m) == pytest.approx(bound(n_cp=m, n_cn=n), rel=1e-14)


@given(gaps=st.lists(st.floats(0.01, 1.0), min_size=2, max_size=2, unique=True))
def test_falls_with_the_gap_and_with_it_alone(gaps: list[float]) -> None:
    narrow, wide = sorted(gaps)
    assert bound(theta=wide, theta_prime=0.0) < bound(theta=narrow, theta_prime=0.0)
    assert bound(theta=1.0, theta_prime=1.0 - wide) == pytest.approx(bound(theta=wide, theta_prime=0.0), rel=1e-9)


@given(deltas=st.lists(st.floats(1e-9, 0.999), min_size=2, max_size=2, unique=True))
def test_falls_when_more_failures_are_allowed(deltas: list[float]) -> None:
    strict, lax = sorted(deltas)
    assert bound(delta=lax) < bound(delta=strict)


def test_holds_for_the_best_direction_in_the_plane() -> None:
    # The best of all directions on a sample against the best in truth, again and again.
    rng, sigmoid, theta, theta_prime, n = np.random.default_rng(0), get_loss("sigmoid"), 0.9, 0.2, 100
    angles = np.linspace(-np.pi, np.pi, 16, endpoint=False)
    directions = np.array([np.cos(angles), np.sin(angles)])

    def draw(share: float, size: int) -> NDArray[np.float64]:
        """Two coordinates with unit noise; positives are one further along the first. Their scores by direction."""
        means = np.column_stack([rng.random(size) < share, np.zeros(size)])
        return np.asarray(directions.T @ rng.normal(means).T)

    def risks(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> list[float]:
        return [pairs_risk(sigmoid, Sides.of(*scores)).value for scores in zip(positive, negative, strict=True)]

    clean = risks(draw(1.0, 1000), draw(0.0, 1000))
    spread = sqrt(2 + 2 + theta * (1 - theta_prime) + (1 - theta) * theta_prime)
    term = contraction_bound(n, n, radius=1.0, spread=spread, lipschitz=lipschitz_constant(sigmoid))
    allowed = bound(n_cp=n, n_cn=n, theta=theta, theta_prime=theta_prime, rademacher=term)
    errors = [clean[int(np.argmin(risks(draw(theta, n), draw(theta_prime, n))))] - min(clean) for _ in range(50)]
    assert 0.001 < max(errors) <= allowed


def test_scores_of_a_model_enter_through_the_norm_of_its_weights() -> None:
    # A minimiser of risk + penalty is one of the risk within the ball of its own norm.
    rng = np.random.default_rng(0)
    X, loss = rng.normal(size=(40, 2)), get_loss("sigmoid")
    positive = X[:, 0] + rng.normal(size=40) > 0
    model, _ = fit_linear(X, positive, loss, l2=0.15, standardize=False)
    best = pairwise_risk(loss, Sides.of(model.score(X[positive]), model.score(X[~positive]))).value
    for direction in rng.normal(size=(200, 2)):
        w = direction / np.linalg.norm(direction) * np.linalg.norm(model.coef)
        scores = LinearModel(w, 0.0).score(X)
        assert pairwise_risk(loss, Sides.of(scores[positive], scores[~positive])).value >= best - 1e-6


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"theta": 0.2}, r"theta must be above theta_prime, .* got theta=0\.2 and theta_prime=0\.3"),
        ({"theta": 1.2}, r"theta is a share .* got 1\.2"),
        ({"K": -1.0}, r"K must be a finite number above 0; got -1\.0"),
        ({"n_cp": 0}, "n_cp is a number of documents .* 1 or more; got 0"),
        ({"n_cn": -3}, "n_cn is a number of documents .* got -3"),
        ({"delta": 0.0}, r"delta must be above 0 and below 1; got 0\.0"),
        ({"delta": 1.0}, r"delta must be above 0 and below 1; got 1\.0"),
        ({"rademacher": -0.1}, r"rademacher must be a finite number of 0 or more; got -0\.1"),
        ({"rademacher": float("nan")}, "rademacher must be .* got nan"),
    ],
)
def test_refuses(changed: dict[str, float], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        bound(**changed)
