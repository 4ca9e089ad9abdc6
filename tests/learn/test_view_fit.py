from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.optimize import minimize

from keysift.learn.view_fit import FitPlan, fit_view, fuse, mean_difference, seen_by, standardised, top_share
from keysift.risk.losses import Loss, get_loss
from tests.learn.numbers import PLAN, Numbers

Vector = NDArray[np.float64]
SIGMOID = PLAN.loss
STEPS: dict[str, Any] = {"l2": 1.0, "steps": 100}


def case(seed: int, documents: int = 10, columns: int = 2) -> tuple[Vector, Vector]:
    """Features, and the strength of the documents; the first third has some."""
    rng = np.random.default_rng(seed)
    positive = np.where(np.arange(documents) < documents // 3, rng.uniform(0.2, 2.0, documents), 0.0)
    return rng.normal(size=(documents, columns)) + (positive > 0)[:, None], positive


def slow_fit(X: Vector, positive: Vector, loss: Loss, l2: float) -> Vector:
    """Scores of the coefficients that minimise the risk over all pairs, one pair after the other."""

    def objective(w: Vector) -> float:
        scores, risk = X @ w, 0.0
        for one, weight in enumerate(positive):
            for other in range(len(X)):
                risk += weight * float(loss.value(scores[one] - scores[other]))
        return risk / float(positive.sum()) / len(X) + l2 / 2 * float(w @ w)

    scores = X @ minimize(objective, np.zeros(X.shape[1]), options={"gtol": 1e-7}).x
    return np.asarray((scores - scores.mean()) / scores.std())


@pytest.mark.parametrize("name", ["sigmoid", "logistic", "squared"])
@pytest.mark.parametrize("seed", range(3))
def test_equals_a_slow_twin_over_all_pairs(name: str, seed: int) -> None:
    X, positive = case(seed)
    plan = FitPlan(get_loss(name), PLAN.config)
    fit = fit_view(Numbers(X), positive, plan, **STEPS)
    assert fit.scores == pytest.approx(slow_fit(X, positive, plan.loss, 1.0), abs=2e-3)


@settings(max_examples=30)
@given(seed=st.integers(0, 999), sparse=st.booleans())
def test_mean_difference_is_the_fit_of_the_unhinged_loss(seed: int, sparse: bool) -> None:
    X, positive = case(seed, documents=20, columns=4)
    view = Numbers(sp.csr_array(X) if sparse else X)
    plan = FitPlan(get_loss("unhinged"), PLAN.config)
    learned = fit_view(view, positive, plan, **STEPS, start=standardised(view, np.ones(4)))
    assert learned.scores == pytest.approx(mean_difference(view, positive).scores, abs=1e-4)
    difference = positive @ X / positive.sum() - X.mean(axis=0)
    coef = mean_difference(view, positive).coef
    assert coef / np.linalg.norm(coef) == pytest.approx(difference / np.linalg.norm(difference))


@given(seed=st.integers(0, 999), factor=st.floats(0.1, 100))
def test_only_the_shares_of_the_strength_count(seed: int, factor: float) -> None:
    X, positive = case(seed)
    once, more = (mean_difference(Numbers(X), times * positive).scores for times in (1.0, factor))
    assert once == pytest.approx(more)


@pytest.mark.parametrize("fit", [fit_view, mean_difference])
def test_documents_that_are_not_known_are_in_neither_set(fit: object) -> None:
    X, positive = case(0, documents=30)
    known = np.arange(30) % 4 != 1
    seen = Numbers(np.where(known[:, None], X, 0.0), known)
    if fit is fit_view:
        some, few = (fit_view(view, weights, PLAN, **STEPS) for view, weights in _both(X, positive, known, seen))
    else:
        some, few = (mean_difference(view, weights) for view, weights in _both(X, positive, known, seen))
    assert some.scores[known] == pytest.approx(few.scores, abs=1e-6)
    assert not some.scores[~known].any()
    assert seen_by(seen).tolist() == known.tolist()
    assert seen_by(Numbers(X)).all()


def _both(X: Vector, positive: Vector, known: NDArray[np.bool_], seen: Numbers) -> list[tuple[Numbers, Vector]]:
    return [(seen, positive), (Numbers(X[known]), positive[known])]


@pytest.mark.parametrize("known", [np.zeros(10, dtype=bool), np.arange(10) >= 3])
def test_where_no_known_document_has_a_keyword_nothing_is_learned(known: NDArray[np.bool_]) -> None:
    X, positive = case(0)
    fit = fit_view(Numbers(np.where(known[:, None], X, 0.0), known), positive, PLAN, **STEPS)
    assert not fit.coef.any()
    assert not fit.scores.any()
    assert fit.history is None


@given(seed=st.integers(0, 99))
def test_scores_are_standardised_and_those_of_the_coefficients(seed: int) -> None:
    X, positive = case(seed)
    fit = fit_view(Numbers(X), positive, PLAN, **STEPS)
    assert (fit.scores.mean(), fit.scores.std()) == pytest.approx((0.0, 1.0), abs=1e-9)
    assert X @ fit.coef + fit.offset == pytest.approx(fit.scores)


def test_a_score_that_never_changes_is_zero() -> None:
    fit = standardised(Numbers(np.ones((5, 2))), np.array([1.0, 2.0]))
    assert not fit.scores.any()
    assert not fit.coef.any()


def test_a_fit_goes_on_from_another() -> None:
    X, positive = case(1, documents=60, columns=5)
    cold = fit_view(Numbers(X), positive, PLAN, l2=0.1, steps=100)
    other = fit_view(Numbers(X), positive, PLAN, l2=0.1, steps=1, start=cold)
    assert np.corrcoef(cold.scores, other.scores)[0, 1] > 0.999
    assert other.history is not None
    assert other.history.steps <= 1


def test_a_check_comes_before_each_fit() -> None:
    def stop() -> None:
        raise TimeoutError

    X, positive = case(0)
    with pytest.raises(TimeoutError):
        fit_view(Numbers(X), positive, FitPlan(SIGMOID, check=stop), **STEPS)


@given(
    scores=arrays(np.float64, st.integers(2, 12), elements=st.sampled_from([0.0, 1.0, 2.0])),
    share=st.floats(0.0, 1.0),
)
def test_the_top_share_never_has_none_or_all(scores: Vector, share: float) -> None:
    top = top_share(scores, share)
    assert top.sum() == min(max(1, round(share * len(scores))), len(scores) - 1)
    assert scores[top].min() >= scores[~top].max()
    tied = np.flatnonzero(scores == scores[top].min())
    assert top[tied].tolist() == sorted(top[tied].tolist(), reverse=True)  # ties by their place


def test_views_are_added_up_by_their_weights() -> None:
    X, positive = case(0)
    fits = {"a": mean_difference(Numbers(X), positive), "b": mean_difference(Numbers(-X[:, :1]), positive)}
    assert fuse(fits, {"a": 1.0, "b": 3.0}) == pytest.approx(fits["a"].scores + 3 * fits["b"].scores)
