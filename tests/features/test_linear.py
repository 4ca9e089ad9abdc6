import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.features.linear import Features, LinearModel


def some_features(rows: int, columns: int, seed: int = 0) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, columns)) * (rng.uniform(size=(rows, columns)) < 0.6)


def some_model(columns: int) -> LinearModel:
    return LinearModel(np.random.default_rng(1).normal(size=columns), offset=0.3)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_score_is_the_sum_of_the_products(kind: type[sp.csr_array]) -> None:
    X, model = some_features(20, 7), some_model(7)
    expected = [sum(c * x for c, x in zip(model.coef, row, strict=True)) + model.offset for row in X]
    np.testing.assert_allclose(model.score(kind(X)), expected, rtol=1e-12, atol=1e-12)


@settings(deadline=None, max_examples=50)
@given(rows=st.integers(1, 40), columns=st.integers(1, 70), seed=st.integers(0, 99), layout=st.sampled_from("CFS"))
def test_a_score_does_not_depend_on_the_rows_beside_it(rows: int, columns: int, seed: int, layout: str) -> None:
    dense, model = some_features(rows, columns, seed), some_model(columns)
    X: Features = sp.csr_array(dense) if layout == "S" else np.array(dense, order="F" if layout == "F" else "C")
    alone = [model.score(X[np.array([row])])[0] for row in range(rows)]
    assert model.score(X).tolist() == alone
    assert model.score(X[np.arange(rows)[::-2]]).tolist() == alone[::-2]


def test_a_row_of_nothing_scores_the_offset() -> None:
    X = np.zeros((2, 3))
    assert some_model(3).score(X).tolist() == some_model(3).score(sp.csr_array(X)).tolist() == [0.3, 0.3]
