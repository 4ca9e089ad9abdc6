from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from keysift.text.counts import count_pairs, recolumn


@pytest.mark.parametrize("columns", [1, 7, 2**31 - 1])
@given(data=st.data())
def test_pairs_equal_the_slow_twin(columns: int, data: st.DataObject) -> None:
    """So many columns that pairs need wider numbers, and few enough that they do not."""
    rows = data.draw(st.integers(0, 5))
    pair = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1) | st.sampled_from([0, columns - 1]))
    pairs = data.draw(st.lists(pair, max_size=20)) if rows else []
    owners, places = (np.array([one[side] for one in pairs], dtype=np.int32) for side in (0, 1))
    counts = count_pairs(owners, places, (rows, columns))
    found = counts.tocoo()
    listed = list(zip(found.coords[0].tolist(), found.coords[1].tolist(), strict=True))
    assert listed == sorted(set(pairs))
    assert dict(zip(listed, found.data.tolist(), strict=True)) == Counter(pairs)
    assert counts.shape == (rows, columns)
    assert counts.indices.dtype == counts.indptr.dtype == np.int32


def test_moving_columns_leaves_the_counts_as_they_are() -> None:
    counts = sp.csr_array(np.array([[1.0, 2.0, 3.0]]))
    assert recolumn(counts, np.array([2, 1, 0]), 3).toarray().tolist() == [[3.0, 2.0, 1.0]]
    assert counts.toarray().tolist() == [[1.0, 2.0, 3.0]]
