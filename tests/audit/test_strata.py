import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from keysift.audit.strata import plan, stratum_sizes


@given(st.integers(1, 5000), st.floats(0, 1), st.integers(8, 400), st.integers(1, 300))
def test_every_stratum_gets_something_and_all_adds_up(documents: int, share: float, n: int, k: int) -> None:
    above = round(share * documents)
    parts = plan(documents, above, n, k)
    assert parts.sizes.sum() == documents
    assert parts.sizes[:2].sum() == above
    assert parts.taken.sum() == min(n, documents)
    assert (parts.taken <= parts.sizes).all()
    assert (parts.taken[parts.sizes > 0] > 0).all()


def test_the_top_is_k_and_small_strata_are_taken_whole() -> None:
    assert stratum_sizes(1000, 400, 100)[0] == 100
    assert stratum_sizes(1000, 100, 100)[0] == 50
    assert plan(1000, 4, 100, 100).taken[:2].tolist() == [2, 2]


def test_an_empty_side_of_the_cut_is_no_stratum() -> None:
    assert stratum_sizes(10, 0, 100).tolist() == [0, 0, 0, 10]
    assert stratum_sizes(10, 10, 100).tolist() == [5, 5, 0, 0]


def test_most_of_the_sample_is_below_a_high_cut_and_above_a_low_one() -> None:
    high, low = (plan(10_000, above, 100, 100).taken for above in (100, 9000))
    assert high[2:].sum() > low[2:].sum()
    assert np.all(high > 0)
