import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.review.heuristics import InARow, Share
from keysift.review.stopped import Stopped, stop_by_check, stop_by_heuristic
from keysift.review.stopping import advise

READ = st.lists(st.booleans(), min_size=1, max_size=80).map(lambda read: np.array(read, dtype=bool))


def slowly(relevant: NDArray[np.bool_], first: int, rng: np.random.Generator) -> Stopped:
    """One draw after another, asking for advice after each."""
    unread = len(relevant) - first
    places = np.zeros(unread, dtype=bool)
    places[rng.permutation(unread)[: int(relevant[first:].sum())]] = True
    found = int(relevant[:first].sum())
    for drawn in range(unread + 1):
        x = int(places[:drawn].sum())
        if advise(unread, found + x, drawn, x).reached:
            return Stopped(first + drawn, found + x, int(relevant.sum()))
    raise AssertionError("everything is drawn")


@settings(max_examples=50)
@given(relevant=READ, row=st.integers(1, 10), seed=st.integers(0, 5))
def test_the_same_as_asking_after_every_draw(relevant: NDArray[np.bool_], row: int, seed: int) -> None:
    first = InARow(row).when(relevant, len(relevant)) or len(relevant)
    quick = stop_by_check(relevant, np.random.default_rng(seed), InARow(row))
    assert quick == slowly(relevant, first, np.random.default_rng(seed))


def test_the_guarantee_holds_where_the_order_is_poor_and_the_check_comes_early() -> None:
    rng = np.random.default_rng(3)
    relevant = rng.random(600) < np.where(np.arange(600) < 250, 0.6, 0.04)
    runs = [stop_by_check(relevant, np.random.default_rng(seed), Share(0.42)) for seed in range(300)]
    assert np.mean([run.recall >= 0.95 for run in runs]) >= 0.95
    assert np.mean([run.read for run in runs]) < 600
    heuristic = stop_by_heuristic(relevant, InARow(20))
    assert heuristic.recall < 0.95


def test_without_a_row_everything_is_read() -> None:
    relevant = np.tile([True, False], 20)
    assert stop_by_check(relevant, np.random.default_rng(0)) == Stopped(40, 20, 20)
    assert stop_by_heuristic(relevant, InARow()) == Stopped(40, 20, 20)


def test_nothing_to_find() -> None:
    stopped = stop_by_check(np.zeros(300, dtype=bool), np.random.default_rng(0))
    assert stopped.recall == pytest.approx(1.0)
    assert 280 < stopped.read <= 300
