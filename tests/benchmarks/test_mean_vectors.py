import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from benchmarks.mean_vectors import average_word, centred_word_vectors, document_vectors
from keysift.features.rows import word_shares

COUNTS = st.integers(1, 6).flatmap(lambda rows: arrays(np.int64, (rows, 4), elements=st.integers(0, 3)))
MATRIX = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)


def centred_by(counts: sp.csr_array, matrix: NDArray[np.float32] = MATRIX) -> NDArray[np.float64]:
    return centred_word_vectors(matrix, average_word(counts, matrix))


def csr(counts: object) -> sp.csr_array:
    return sp.csr_array(np.asarray(counts, dtype=np.float32))


@given(COUNTS)
def test_equal_the_slow_twin(counts: NDArray[np.int64]) -> None:
    centred = centred_by(csr(counts))
    units = [row / np.linalg.norm(row) for row in MATRIX.astype(np.float64)]
    every_word = [units[word] for row in counts for word in np.repeat(np.arange(4), row)]
    average = np.mean(every_word, axis=0) if every_word else np.zeros(3)
    np.testing.assert_allclose(centred, [unit - average for unit in units], atol=1e-6)

    expected = []
    for row in counts:
        words = [centred[word] for word in np.repeat(np.arange(4), row)]
        expected.append(np.mean([*words, np.zeros(3)], axis=0))
    X, found = document_vectors(csr(counts), MATRIX)
    np.testing.assert_allclose(X, expected, atol=1e-12)
    np.testing.assert_allclose(found, average, atol=1e-6)
    lengths = counts.sum(axis=1)
    np.testing.assert_allclose(word_shares(csr(counts)).sum(axis=1), lengths / (lengths + 1))


def test_the_average_word_is_zero() -> None:
    counts = np.array([[1, 0, 2, 0], [0, 3, 0, 1]])
    centred = centred_by(csr(counts))
    np.testing.assert_allclose(counts.sum(axis=0) @ centred, np.zeros(3), atol=1e-6)


def test_a_document_without_known_words_is_zero() -> None:
    counts = csr([[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]])
    X, _ = document_vectors(counts, MATRIX)
    assert X[0].tolist() == [0, 0, 0]
    np.testing.assert_allclose(X[1], centred_by(counts)[0] / 2)


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    counts = np.random.default_rng(1).integers(0, 4, size=(50, 4))
    centred = centred_by(csr(counts))
    together = word_shares(csr(counts)) @ centred
    for row, vector in zip(counts, together, strict=True):
        assert (word_shares(csr([row])) @ centred).tobytes() == vector.tobytes()


def test_a_word_with_a_zero_vector() -> None:
    matrix = np.array([[2, 0], [0, 0]], dtype=np.float32)
    assert centred_by(csr([[1, 1]]), matrix).tolist() == [pytest.approx([0.5, 0]), pytest.approx([-0.5, 0])]
