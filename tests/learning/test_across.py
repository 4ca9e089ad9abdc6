from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.learning import Split, ViewFit, blend, fit_split, fuse, self_train
from keysift.learning.across import top_share
from tests.learning.readings import PLAN, Numbers, two_views

SIMILARITIES = arrays(np.float64, st.integers(2, 12), elements=st.floats(0.01, 1.0))
EVEN = {"near": 1.0, "far": 1.0}


def noisy_split(truth: NDArray[np.bool_], rng: np.random.Generator) -> Split:
    """A third of the relevant documents hold a keyword, and a few others."""
    held = np.where(truth, rng.random(len(truth)) < 0.33, rng.random(len(truth)) < 0.05)
    return Split.of(held, held * rng.uniform(0.2, 1.0, len(truth)))


@given(similarity=SIMILARITIES, seed=st.integers(0, 99))
def test_positives_count_one_on_the_average_and_by_similarity(similarity: NDArray[np.float64], seed: int) -> None:
    positive = np.random.default_rng(seed).random(len(similarity)) < 0.5
    positive[0] = True
    split = Split.of(positive, similarity)
    assert split.weights[positive].mean() == pytest.approx(1.0)
    assert (split.weights[~positive] == 1.0).all()
    assert split.weights[positive] / split.weights[0] == pytest.approx(similarity[positive] / similarity[0])


@given(similarity=SIMILARITIES, seed=st.integers(0, 99))
def test_who_is_believed_joins_the_positives(similarity: NDArray[np.float64], seed: int) -> None:
    rng = np.random.default_rng(seed)
    positive, believed = rng.random((2, len(similarity))) < 0.5
    positive[0] = True
    split = Split.of(positive, similarity)
    joined = split.with_believed(believed)
    assert (joined.positive == (positive | believed)).all()
    assert (joined.weights[~believed] == split.weights[~believed]).all()
    assert (joined.weights[positive] >= split.weights[positive]).all()
    alone = joined.weights[believed & ~positive]
    assert (alone == alone.min(initial=np.inf)).all()  # all alike, and less than one with a keyword
    assert (alone < 1.0).all()
    again = joined.with_believed(believed)
    assert again.weights.tolist() == joined.weights.tolist()
    assert split.with_believed(np.zeros_like(believed)).weights.tolist() == split.weights.tolist()


@given(similarity=SIMILARITIES, seed=st.integers(0, 99))
def test_answers_stand_above_all_guesses(similarity: NDArray[np.float64], seed: int) -> None:
    rng = np.random.default_rng(seed)
    positive, believed = rng.random((2, len(similarity))) < 0.5
    positive[0] = True
    answers = rng.integers(-1, 2, len(similarity)).astype(np.int8)
    split = Split.of(positive, similarity).with_believed(believed)
    told = split.with_answers(answers)
    assert (told.positive[answers >= 0] == answers[answers >= 0]).all()
    assert (told.weights[answers >= 0] == 1.0).all()
    assert (told.positive[answers < 0] == split.positive[answers < 0]).all()
    assert (told.weights[answers < 0] == split.weights[answers < 0]).all()
    assert told.with_answers(answers).positive.tolist() == told.positive.tolist()


@given(
    scores=arrays(np.float64, st.integers(2, 30), elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0])),
    share=st.floats(0, 1),
)
def test_the_top_share_is_never_none_and_never_all(scores: NDArray[np.float64], share: float) -> None:
    top = top_share(scores, share)
    assert top.sum() == min(max(1, round(share * len(scores))), len(scores) - 1)
    assert scores[top].min() >= scores[~top].max()
    level = scores[top].min()
    tied = np.flatnonzero(scores == level)
    assert top[tied].tolist() == sorted(top[tied], reverse=True)  # of equals, the first


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
    readings = two_views(truth, 1.5, rng)
    fits = fit_split(readings, noisy_split(truth, rng), PLAN)
    for name, fit in fits.items():
        assert fit.scores.mean() == pytest.approx(0.0, abs=1e-9)
        assert fit.scores.std() == pytest.approx(1.0)
        assert fit.score(readings[name].X) == pytest.approx(fit.scores)
        assert fit.history is not None
        assert fit.history.steps > 0
    assert fuse(fits, {"near": 2.0, "far": 0.5}) == pytest.approx(2 * fits["near"].scores + 0.5 * fits["far"].scores)


def test_views_that_learn_from_each_other_find_more() -> None:
    rng = np.random.default_rng(2)
    truth = np.arange(400) < 150
    readings = two_views(truth, 1.5, rng)
    split = noisy_split(truth, rng)
    base = fit_split(readings, split, PLAN)
    learned = self_train(readings, base, split, 0.3, 3, PLAN)
    assert roc_auc_score(truth, fuse(learned, EVEN)) > roc_auc_score(truth, fuse(base, EVEN)) > 0.7


def test_a_view_alone_believes_itself() -> None:
    rng = np.random.default_rng(3)
    truth = np.arange(200) < 80
    readings = {"near": two_views(truth, 2.0, rng)["near"]}
    split = noisy_split(truth, rng)
    base = fit_split(readings, split, PLAN)
    learned = self_train(readings, base, split, 0.3, 2, PLAN)
    assert roc_auc_score(truth, learned["near"].scores) > 0.85


def test_no_round_changes_nothing_and_every_round_is_repeatable() -> None:
    rng = np.random.default_rng(4)
    truth = np.arange(60) < 20
    readings, split = two_views(truth, 1.0, rng), noisy_split(truth, rng)
    base = fit_split(readings, split, PLAN)
    assert self_train(readings, base, split, 0.3, 0, PLAN) == base
    first, second = (self_train(readings, base, split, 0.3, 2, PLAN) for _ in range(2))
    for name in readings:
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
