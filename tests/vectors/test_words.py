import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.vectors import words
from keysift.vectors.words import WordVectors, unit_rows

Matrix = NDArray[np.float32]


def vectors_of(matrix: Matrix) -> WordVectors:
    return WordVectors("test", pl.Series("word", [f"w{row}" for row in range(len(matrix))]), matrix)


def slow_cosine(a: Matrix, b: Matrix) -> float:
    lengths = float(np.linalg.norm(a)) * float(np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0


def drawn(seed: int, rows: int) -> Matrix:
    return np.random.default_rng(seed).normal(size=(rows, 4)).astype(np.float32)


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 20),
    st.integers(0, 5),
    st.integers(0, 25),
    st.sets(st.integers(0, 19)),
)
def test_nearest_equals_the_slow_twin(seed: int, size: int, queries: int, count: int, drop: set[int]) -> None:
    matrix, directions = drawn(seed, size), drawn(seed + 1, queries)
    bans = [{row for row in drop if (row + query) % 3 and row < size} for query in range(queries)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "QUERIES_AT_ONCE", 2)
        rows, cosines = vectors_of(matrix).nearest(directions, count, bans)
    assert rows.shape == cosines.shape == (queries, count)
    for query, direction in enumerate(directions):
        allowed = [row for row in range(size) if row not in bans[query]]
        expected = sorted(allowed, key=lambda row: -slow_cosine(direction, matrix[row]))[:count]
        gaps = [-1] * (count - len(expected))
        assert rows[query].tolist() == expected + gaps
        similarity = [slow_cosine(direction, matrix[row]) for row in expected]
        np.testing.assert_allclose(cosines[query], similarity + [0.0] * len(gaps), atol=1e-5)


def test_ties_are_in_the_order_of_the_vocabulary() -> None:
    matrix = np.array([[0, 1], [1, 0], [2, 0], [1, 0], [0, 3]], dtype=np.float32)
    rows, cosines = vectors_of(matrix).nearest(np.array([[5, 0]], dtype=np.float32), 5, [[]])
    assert rows.tolist() == [[1, 2, 3, 0, 4]]
    assert cosines.tolist() == [[1, 1, 1, 0, 0]]


def test_zero_vectors_are_near_nothing() -> None:
    matrix = np.array([[0, 0], [1, 0], [-1, 0]], dtype=np.float32)
    rows, cosines = vectors_of(matrix).nearest(np.array([[1, 0], [0, 0]], dtype=np.float32), 3, [[], []])
    assert rows.tolist() == [[1, 2, -1], [-1, -1, -1]]
    assert cosines.tolist() == [[1, -1, 0], [0, 0, 0]]


def test_everything_banned() -> None:
    rows, _ = vectors_of(np.eye(2, dtype=np.float32)).nearest(np.ones((1, 2), dtype=np.float32), 2, [[0, 1]])
    assert rows.tolist() == [[-1, -1]]


def test_rows() -> None:
    vectors = vectors_of(np.eye(3, dtype=np.float32))
    assert len(vectors) == 3
    assert vectors.rows(pl.Series(["w2", "x", "w0"])).tolist() == [2, -1, 0]


def test_unit_rows() -> None:
    matrix = np.concatenate([drawn(0, 5), np.zeros((1, 4), dtype=np.float32)])
    unit = unit_rows(matrix)
    assert unit.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), [1, 1, 1, 1, 1, 0], rtol=1e-6)
    np.testing.assert_allclose(unit * np.linalg.norm(matrix, axis=1, keepdims=True), matrix, rtol=1e-5)
