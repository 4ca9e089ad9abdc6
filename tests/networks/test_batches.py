import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.networks.batches import batch_rows, hold_out, scoring_batches

Set = NDArray[np.bool_]


@st.composite
def two_sets(draw: st.DrawFn) -> Set:
    """Which documents are positive; at least one is, and one is not."""
    return np.array(draw(st.permutations([True, False, *draw(st.lists(st.booleans(), max_size=40))])))


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@given(two_sets(), st.floats(0, 0.99))
def test_the_same_share_of_each_set_is_held_out(positive: Set, share: float) -> None:
    train, held = hold_out(positive, share, rng())
    assert sorted([*train, *held]) == list(range(len(positive)))
    assert train.tolist() == sorted(train)
    assert held.tolist() == sorted(held)
    sizes = [positive.sum(), (~positive).sum()]
    if share == 0 or min(sizes) == 1:
        assert len(held) == 0
        return
    for size, kept in zip(sizes, (positive[held].sum(), (~positive[held]).sum()), strict=True):
        assert kept == min(size - 1, np.ceil(share * size))


def test_what_is_held_out_is_drawn() -> None:
    positive = np.arange(200) < 100
    one, other = (hold_out(positive, 0.1, np.random.default_rng(seed))[1].tolist() for seed in (0, 1))
    assert one == hold_out(positive, 0.1, rng())[1].tolist() != other
    assert len(one) == 20


@given(two_sets(), st.integers(2, 12))
def test_natural_batches_hold_every_document_once(positive: Set, size: int) -> None:
    batches = list(batch_rows(positive, size, False, rng()))
    order = rng().permutation(len(positive))
    whole = [order[start : start + size] for start in range(0, len(order), size)]
    # Only what has no pair is left out.
    expected = [rows.tolist() for rows in whole if len(set(positive[rows].tolist())) == 2]
    assert [rows.tolist() for rows in batches] == expected


def test_natural_batches_come_in_another_order_every_epoch() -> None:
    generator, positive = rng(), np.arange(60) % 2 == 0
    first, second = (np.concatenate(list(batch_rows(positive, 20, False, generator))).tolist() for _ in range(2))
    assert sorted(first) == sorted(second) == list(range(60))
    assert first != second


@given(two_sets(), st.integers(2, 12))
def test_balanced_batches_are_half_of_each_set(positive: Set, size: int) -> None:
    batches = list(batch_rows(positive, size, True, rng()))
    assert len(batches) == np.ceil(len(positive) / size)
    for rows in batches:
        assert positive[rows].sum() == (~positive[rows]).sum() == size // 2
    times = np.bincount(np.concatenate(batches), minlength=len(positive))
    for members in (positive, ~positive):
        assert times[members].max() - times[members].min() <= 1


LENGTHS = st.lists(st.integers(0, 30), max_size=40).map(lambda lengths: np.array(lengths, dtype=np.int64))


@given(LENGTHS, st.integers(1, 50))
def test_scoring_batches_are_bounded_and_hold_every_document_once(lengths: NDArray[np.int64], words: int) -> None:
    batches = list(scoring_batches(lengths, words))
    assert sorted(row for rows in batches for row in rows) == list(range(len(lengths)))
    for rows in batches:
        assert len(rows) == 1 or len(rows) * max(1, lengths[rows].max()) <= words
    # None could take in the first document of the next one as well.
    for rows, after in itertools.pairwise(batches):
        assert (len(rows) + 1) * max(1, lengths[after[0]]) > words


def test_one_long_document_is_alone() -> None:
    lengths = np.array([3, 1000, 2, 3])
    assert [rows.tolist() for rows in scoring_batches(lengths, 10)] == [[2, 0, 3], [1]]


@pytest.mark.parametrize("balanced", [True, False])
def test_a_batch_larger_than_the_corpus(balanced: bool) -> None:
    positive = np.array([True, False, False])
    (rows,) = batch_rows(positive, 8, balanced, rng())
    assert set(rows.tolist()) == {0, 1, 2}
    assert len(rows) == (8 if balanced else 3)
