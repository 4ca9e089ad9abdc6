from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.features.views import SENTENCES, WORDS
from keysift.learn.self_training import quick_scores, quick_self_train, self_train, with_top
from keysift.learn.view_fit import FitPlan, ViewFit, fit_view, fuse
from tests.learn.numbers import EVEN, PLAN, Numbers, two_views

Vector = NDArray[np.float64]
NUMBERS = st.integers(2, 15).flatmap(
    lambda size: st.tuples(*(arrays(np.float64, size, elements=st.floats(0, 3)) for _ in range(2)))
)


@given(numbers=NUMBERS, share=st.floats(0, 1), weight=st.floats(0, 2))
def test_the_top_joins_the_positive_documents(numbers: tuple[Vector, Vector], share: float, weight: float) -> None:
    strength, scores = numbers
    positive = with_top(strength, scores, share, weight)
    assert (positive >= strength).all()  # an anchor
    joined = positive > strength
    assert (positive[joined] == weight).all()
    assert joined.sum() <= max(1, round(share * len(scores)))
    if joined.any() and not joined.all():
        passed = (strength < weight) & ~joined  # they could have joined
        assert scores[joined].min() >= scores[passed].max(initial=-np.inf)


def planned(**changes: Any) -> FitPlan:
    return replace(PLAN, config=replace(PLAN.config, **changes))


def case(seed: int, distance: float = 2.0) -> tuple[NDArray[np.bool_], dict[str, Numbers], Vector]:
    """Half of the documents are relevant; few have a keyword, and some of those are irrelevant."""
    rng = np.random.default_rng(seed)
    truth = np.arange(300) % 2 == 0
    strength = (rng.random(300) < np.where(truth, 0.15, 0.05)).astype(np.float64)
    return truth, two_views(truth, distance, rng), strength


def fitted(views: dict[str, Numbers], strength: Vector) -> dict[str, ViewFit]:
    return {name: fit_view(view, strength, PLAN, l2=1.0, steps=50) for name, view in views.items()}


NOTHING = np.zeros(300)


@pytest.mark.parametrize("seed", range(3))
def test_where_documents_have_two_sides_it_sharpens_the_ranking(seed: int) -> None:
    truth, views, strength = case(seed)
    before = fitted(views, strength)
    after = self_train(views, before, strength, EVEN, NOTHING, PLAN)
    first, second = (roc_auc_score(truth, fuse(fits, EVEN)) for fits in (before, after))
    assert second > first + 0.005


def test_no_rounds_change_nothing() -> None:
    _, views, strength = case(0)
    before = fitted(views, strength)
    after = self_train(views, before, strength, EVEN, NOTHING, planned(rounds=0))
    assert all(after[name] is before[name] for name in before)


def test_a_fixed_score_says_who_joins() -> None:
    truth, views, strength = case(0, distance=1.0)
    before = fitted(views, strength)
    found = [
        roc_auc_score(
            truth, fuse(self_train(views, before, strength, EVEN, np.where(truth, sign * 9.0, 0.0), PLAN), EVEN)
        )
        for sign in (-1, 1)
    ]
    assert found[0] < 0.5 < 0.7 < found[1]


def test_documents_without_a_sentence_vector_join_by_what_words_taught() -> None:
    """All relevant documents that were not encoded look to the words as those that were."""
    truth, two, strength = case(1, distance=4.0)
    known = np.arange(300) < 150
    strength = np.where(known, truth * 1.0, 0.0)
    sentences = Numbers(np.where(known[:, None], np.asarray(two["near"].X), 0.0), known)
    views = {WORDS: two["far"], SENTENCES: sentences}
    weights = {WORDS: 0.0, SENTENCES: 1.0}  # only what was taught tells
    fits = self_train(views, fitted(views, strength), strength, weights, NOTHING, planned(rounds=1, share=0.5))
    assert roc_auc_score(truth[~known], fits[WORDS].scores[~known]) > 0.95


def test_quick_rounds_tell_about_the_same() -> None:
    truth, views, strength = case(0)
    alone = quick_scores(views, strength, EVEN, PLAN)
    quick = quick_self_train(views, strength, alone, EVEN, PLAN)
    long = fuse(self_train(views, fitted(views, strength), strength, EVEN, NOTHING, PLAN), EVEN)
    assert np.corrcoef(quick, long)[0, 1] > 0.9
    assert roc_auc_score(truth, quick) > roc_auc_score(truth, alone)
