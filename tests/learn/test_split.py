import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from keysift.learn.split import Split, top_share

SIMILARITIES = arrays(np.float64, st.integers(2, 12), elements=st.floats(0.01, 1.0))


@given(similarity=SIMILARITIES, seed=st.integers(0, 99))
def test_positives_count_one_on_the_average_and_by_similarity(similarity: NDArray[np.float64], seed: int) -> None:
    positive = np.random.default_rng(seed).random(len(similarity)) < 0.5
    positive[0] = True
    split = Split.of(positive, similarity)
    assert split.weights[positive].mean() == pytest.approx(1.0)
    assert (split.weights[~positive] == 1.0).all()
    assert split.weights[positive] / split.weights[0] == pytest.approx(similarity[positive] / similarity[0])


@given(similarity=SIMILARITIES, seed=st.integers(0, 99))
def test_added_documents_join_the_positives(similarity: NDArray[np.float64], seed: int) -> None:
    rng = np.random.default_rng(seed)
    positive, added = rng.random((2, len(similarity))) < 0.5
    positive[0] = True
    split = Split.of(positive, similarity)
    joined = split.with_added(added, 0.5)
    assert (joined.positive == (positive | added)).all()
    assert (joined.weights[~added] == split.weights[~added]).all()
    assert (joined.weights[positive] >= split.weights[positive]).all()
    alone = joined.weights[added & ~positive]
    assert (alone == alone.min(initial=np.inf)).all()  # all alike, and less than one with a keyword
    assert (alone < 1.0).all()
    again = joined.with_added(added, 0.5)
    assert again.weights.tolist() == joined.weights.tolist()
    assert split.with_added(np.zeros_like(added), 0.5).weights.tolist() == split.weights.tolist()


@given(similarity=SIMILARITIES, seed=st.integers(0, 99))
def test_answers_stand_above_all_guesses(similarity: NDArray[np.float64], seed: int) -> None:
    rng = np.random.default_rng(seed)
    positive, added = rng.random((2, len(similarity))) < 0.5
    positive[0] = True
    answers = rng.integers(-1, 2, len(similarity)).astype(np.int8)
    split = Split.of(positive, similarity).with_added(added, 0.5)
    told = split.with_answers(answers, 1.0)
    assert (told.positive[answers >= 0] == answers[answers >= 0]).all()
    assert (told.weights[answers >= 0] == 1.0).all()
    assert (told.positive[answers < 0] == split.positive[answers < 0]).all()
    assert (told.weights[answers < 0] == split.weights[answers < 0]).all()
    assert told.with_answers(answers, 1.0).positive.tolist() == told.positive.tolist()


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


@given(similarity=SIMILARITIES, seed=st.integers(0, 99))
def test_documents_that_are_left_out_are_in_neither_set(similarity: NDArray[np.float64], seed: int) -> None:
    rng = np.random.default_rng(seed)
    positive, left_out = rng.random((2, len(similarity))) < 0.5
    positive[0] = True
    split = Split.of(positive, similarity)
    rest = split.without(np.flatnonzero(left_out))
    assert not rest.positive[left_out].any()
    assert not rest.weights[left_out].any()
    assert rest.positive[~left_out].tolist() == positive[~left_out].tolist()
    assert rest.weights[~left_out].tolist() == split.weights[~left_out].tolist()
    assert split.positive.tolist() == positive.tolist()  # the split itself stays as it was


@pytest.mark.parametrize("weight", [0.2, 0.5, 2.0])
def test_what_is_added_counts_by_its_weight(weight: float) -> None:
    split = Split(np.array([True, True, False, False]), np.array([1.6, 0.4, 1.0, 1.0]))
    added = np.array([True, True, True, False])
    assert split.with_added(added, weight).weights.tolist() == [max(1.6, weight), max(0.4, weight), weight, 1.0]


@pytest.mark.parametrize("weight", [0.5, 3.0])
def test_answers_count_by_their_weight(weight: float) -> None:
    split = Split(np.array([True, False, False]), np.array([1.6, 1.0, 1.0]))
    answers = np.array([0, 1, -1], dtype=np.int8)
    assert split.with_answers(answers, weight).weights.tolist() == [weight, weight, 1.0]
