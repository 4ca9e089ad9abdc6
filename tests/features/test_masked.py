import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from keysift.features.characters import CharacterView
from keysift.features.masked import mask
from keysift.features.view import Documents, View
from keysift.features.words import WordView
from tests.features.corpora import WORDS, counted, dense


@pytest.mark.parametrize("view", [WordView(), CharacterView()])
@given(counts=counted(), gone=st.sets(st.integers(0, len(WORDS) - 1)), seed=st.integers(0, 9))
def test_some_rows_are_replaced_as_if_all_were_made_again(
    view: View, counts: sp.csr_array, gone: set[int], seed: int
) -> None:
    fitted = view.fit(Documents(counts), WORDS)
    left = counts.toarray()
    left[:, sorted(gone)] = 0.0
    rows = np.flatnonzero((left != counts.toarray()).any(axis=1))
    others = sp.csr_array(left)
    masked = mask(fitted, rows, Documents(others[rows]))
    whole = dense(fitted.transform(Documents(others)))
    assert masked.X.shape == whole.shape
    rng = np.random.default_rng(seed)
    coef, weights = rng.normal(size=whole.shape[1]), rng.normal(size=whole.shape[0])
    assert masked.X @ coef == pytest.approx(whole @ coef)
    assert masked.X.T @ weights == pytest.approx(whole.T @ weights)
    assert dense(masked.transform(Documents(others))).tolist() == whole.tolist()
