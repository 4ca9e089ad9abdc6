import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.learn.neighbours import Neighbours, find_neighbours
from keysift.learn.split import Split


def documents(number: int, rng: np.random.Generator, words: int = 500) -> sp.csr_array:
    return sp.csr_array(sp.random_array((number, words), density=0.1, rng=rng))


def cosines(X: sp.csr_array) -> NDArray[np.float64]:
    dense = X.toarray()
    dense[:, (dense > 0).sum(axis=0) > max(DEFAULT.common_word * len(dense), 2)] = 0.0
    length = np.linalg.norm(dense, axis=1, keepdims=True)
    unit = dense / np.where(length > 0, length, 1.0)
    return np.asarray(unit @ unit.T)


@pytest.mark.parametrize("number", [2, 5, 30, 700])
def test_neighbours_are_those_with_the_largest_cosine(number: int) -> None:
    """The obvious way: all cosines, sorted, in both directions."""
    X = documents(number, np.random.default_rng(number))
    like = cosines(X)
    np.fill_diagonal(like, -1.0)
    nearest = np.argsort(-like, axis=1, kind="stable")[:, : DEFAULT.neighbours]
    expected = np.zeros((number, number))
    np.put_along_axis(expected, nearest, np.maximum(np.take_along_axis(like, nearest, axis=1), 0.0), axis=1)
    expected = expected + expected.T
    total = expected.sum(axis=1, keepdims=True)
    graph = find_neighbours(X, np.array([0]), np.random.default_rng(0)).graph.toarray()
    assert graph == pytest.approx(expected / np.where(total > 0, total, 1.0), abs=1e-5)


def test_only_what_is_connected_with_a_keyword_is_reached() -> None:
    """Three documents in a row, the first with a keyword, and a pair by itself."""
    likeness = np.zeros((5, 5))
    for one, other in ((0, 1), (1, 2), (3, 4)):
        likeness[one, other] = likeness[other, one] = 1.0
    graph = sp.csr_array(likeness / likeness.sum(axis=1, keepdims=True))
    keyword = Split(np.arange(5) == 0, np.ones(5))
    found = Neighbours(graph).split(keyword)
    assert found.positive.sum() == 2  # twice as many as hold a keyword
    assert not found.positive[3:].any()
    assert found.weights[found.positive].mean() == pytest.approx(1.0)
    assert Neighbours(graph).keyword_share(keyword).tolist() == [0.0, 0.5, 0.0, 0.0, 0.0]


def test_what_counts_nothing_counts_nothing() -> None:
    graph = sp.csr_array(np.full((4, 4), 0.25))
    split = Split(np.array([True, False, False, False]), np.array([1.0, 0.0, 1.0, 1.0]))
    found = Neighbours(graph).split(split)
    assert found.weights[1] == 0.0
    assert not found.positive[1]


def test_a_keyword_without_neighbours_stays_positive() -> None:
    found = Neighbours(sp.csr_array((3, 3))).split(Split(np.array([True, False, False]), np.ones(3)))
    assert found.positive.tolist() == [True, False, False]
    assert found.weights.tolist() == [1.0, 0.0, 0.0]  # the others were compared with none


def test_of_very_many_documents_a_sample_is_compared() -> None:
    few = LearnConfig(most_compared=40)
    X = documents(200, np.random.default_rng(0))
    graph = find_neighbours(X, np.array([3, 7]), np.random.default_rng(0), few).graph
    compared = np.flatnonzero(np.diff(graph.indptr))
    assert len(compared) <= 40
    assert {3, 7} <= set(compared.tolist())
