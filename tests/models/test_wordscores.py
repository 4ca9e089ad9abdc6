import numpy as np
import polars as pl
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from keysift.models import WordScores, score_words
from keysift.models import wordscores as module
from keysift.vectors import WordVectors, document_vectors

COUNTS = arrays(np.float64, (5, 4), elements=st.integers(0, 3).map(float))


@given(COUNTS, st.integers(0, 100))
def test_the_table_scores_as_the_vectors_do(counts: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = WordVectors("v", pl.Series(list("abcd")), rng.normal(size=(4, 3)).astype(np.float32))
    matrix, coef = sp.csr_array(counts), rng.normal(size=3)
    X, average = document_vectors(matrix, vectors.matrix)
    model = score_words(vectors, coef, average)
    np.testing.assert_allclose(model.score(matrix), X @ coef, atol=1e-12)
    assert (model.score(matrix) > model.floor).all()


def test_blocks_make_no_difference() -> None:
    rng = np.random.default_rng(0)
    vectors = WordVectors("v", pl.Series(list("abcdefg")), rng.normal(size=(7, 3)).astype(np.float32))
    whole = score_words(vectors, np.ones(3), np.zeros(3)).scores
    before, module.BLOCK = module.BLOCK, 2
    try:
        parts = score_words(vectors, np.ones(3), np.zeros(3)).scores
    finally:
        module.BLOCK = before
    np.testing.assert_allclose(parts, whole, rtol=1e-12)


def test_no_words_at_all() -> None:
    model = WordScores(pl.Series([], dtype=pl.String), np.empty(0))
    assert model.score(sp.csr_array((2, 0))).tolist() == [0.0, 0.0]
    assert model.floor < 0
