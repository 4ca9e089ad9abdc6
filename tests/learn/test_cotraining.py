from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.learn.cotraining import ViewFit, blend, fit_split, fuse, self_train
from keysift.learn.split import Split
from tests.learn.numbers import PLAN, Numbers, two_views

EVEN = {"near": 1.0, "far": 1.0}


def noisy_split(truth: NDArray[np.bool_], rng: np.random.Generator) -> Split:
    """A third of the relevant documents hold a keyword, and a few others."""
    found = np.where(truth, rng.random(len(truth)) < 0.33, rng.random(len(truth)) < 0.05)
    return Split.of(found, found * rng.uniform(0.2, 1.0, len(truth)))


@given(weights=st.lists(st.floats(0, 2), min_size=1, max_size=4))
def test_a_blend_of_fits_is_the_blend_of_their_scores(weights: list[float]) -> None:
    rng = np.random.default_rng(len(weights))
    many = list(zip(weights, some_fits(), strict=False))
    new = rng.normal(size=(5, 4))
    for name, fit in blend(many).items():
        assert fit.scores == pytest.approx(sum(weight * fits[name].scores for weight, fits in many))
        assert fit.score(new) == pytest.approx(sum(weight * fits[name].score(new) for weight, fits in many))


@cache
def some_fits() -> list[dict[str, ViewFit]]:
    rng = np.random.default_rng(0)
    truth = np.arange(40) < 15
    return [fit_split(two_views(truth, 1.0, rng), noisy_split(truth, rng), PLAN) for _ in range(4)]


def test_a_fit_is_a_standardised_linear_score() -> None:
    rng = np.random.default_rng(1)
    truth = np.arange(100) < 40
    views = two_views(truth, 1.5, rng)
    fits = fit_split(views, noisy_split(truth, rng), PLAN)
    for name, fit in fits.items():
        assert fit.scores.mean() == pytest.approx(0.0, abs=1e-9)
        assert fit.scores.std() == pytest.approx(1.0)
        assert fit.score(views[name].X) == pytest.approx(fit.scores)
        assert fit.history is not None
        assert fit.history.steps > 0
    assert fuse(fits, {"near": 2.0, "far": 0.5}) == pytest.approx(2 * fits["near"].scores + 0.5 * fits["far"].scores)


def test_views_that_learn_from_each_other_find_more() -> None:
    rng = np.random.default_rng(2)
    truth = np.arange(400) < 150
    views = two_views(truth, 1.5, rng)
    split = noisy_split(truth, rng)
    base = fit_split(views, split, PLAN)
    learned = self_train(views, base, split, 0.3, 3, PLAN)
    assert roc_auc_score(truth, fuse(learned, EVEN)) > roc_auc_score(truth, fuse(base, EVEN)) > 0.7


def test_a_view_alone_learns_from_itself() -> None:
    rng = np.random.default_rng(3)
    truth = np.arange(200) < 80
    views = {"near": two_views(truth, 2.0, rng)["near"]}
    split = noisy_split(truth, rng)
    base = fit_split(views, split, PLAN)
    learned = self_train(views, base, split, 0.3, 2, PLAN)
    assert roc_auc_score(truth, learned["near"].scores) > 0.85


def test_no_round_changes_nothing_and_every_round_is_repeatable() -> None:
    rng = np.random.default_rng(4)
    truth = np.arange(60) < 20
    views, split = two_views(truth, 1.0, rng), noisy_split(truth, rng)
    base = fit_split(views, split, PLAN)
    assert self_train(views, base, split, 0.3, 0, PLAN) == base
    first, second = (self_train(views, base, split, 0.3, 2, PLAN) for _ in range(2))
    for name in views:
        assert first[name].scores.tobytes() == second[name].scores.tobytes()


def test_features_that_are_all_alike_score_nothing() -> None:
    split = Split(np.array([True, False, False]), np.ones(3))
    for X in (np.zeros((3, 2)), np.zeros((3, 0))):
        (fit,) = fit_split({"blind": Numbers(X)}, split, PLAN).values()
        assert not fit.scores.any()
        assert not fit.coef.any()
        assert np.isfinite(fit.score(X)).all()


def test_documents_without_weight_count_in_neither_set() -> None:
    rng = np.random.default_rng(5)
    truth = np.arange(80) < 30
    X = two_views(truth, 1.0, rng)["near"].X
    weights = np.ones(80)
    weights[70:] = 0.0
    whole = fit_split({"a": Numbers(X)}, Split(truth, weights), PLAN)["a"]
    less = fit_split({"a": Numbers(X[:70])}, Split(truth[:70], np.ones(70)), PLAN)["a"]
    direction = whole.coef / np.linalg.norm(whole.coef)
    assert direction == pytest.approx(less.coef / np.linalg.norm(less.coef), abs=1e-2)
