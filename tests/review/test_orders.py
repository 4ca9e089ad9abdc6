import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.errors import SettingError
from keysift.review.orders import FADING, ORDERS, BestFirst, Mix, Random, Uncertain, check_count, get_order

CASES = st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=1, max_size=30)


@pytest.mark.parametrize("name", ORDERS)
@given(case=CASES, n=st.integers(1, 40), seed=st.integers(0, 9))
def test_each_unread_document_comes_once_and_no_other(
    name: str, case: list[tuple[float, bool]], n: int, seed: int
) -> None:
    scores, read = np.array([score for score, _ in case]), np.array([seen for _, seen in case])
    chosen = ORDERS[name].next(scores, read, n, np.random.default_rng(seed))
    assert len(chosen) == min(n, int((~read).sum())) == len(set(chosen.tolist()))
    assert not read[chosen].any()
    again = ORDERS[name].next(scores, read, n, np.random.default_rng(seed))
    assert chosen.tolist() == again.tolist()


@given(case=CASES, n=st.integers(1, 40))
def test_best_first_leaves_none_that_is_better(case: list[tuple[float, bool]], n: int) -> None:
    scores, read = np.array([score for score, _ in case]), np.array([seen for _, seen in case])
    chosen = BestFirst().next(scores, read, n, np.random.default_rng(0))
    left = np.setdiff1d(np.flatnonzero(~read), chosen)
    assert scores[chosen].tolist() == sorted(scores[chosen], reverse=True)
    assert not len(left) or not len(chosen) or scores[left].max() <= scores[chosen].min()


def test_uncertain_is_where_two_groups_part() -> None:
    scores = np.concatenate([np.linspace(0, 1, 50), np.linspace(5, 6, 10), [3.0]])
    assert Uncertain().next(scores, np.zeros(61, dtype=bool), 1, np.random.default_rng(0)).tolist() in (
        [60],
        [50],
        [49],
    )
    assert Uncertain(0.5).next(scores, np.zeros(61, dtype=bool), 1, np.random.default_rng(0))[0] in (24, 25)


def test_random_draws_each_as_often() -> None:
    rng, read = np.random.default_rng(0), np.array([False, True, False, False, False])
    drawn = [int(Random().next(np.arange(5.0), read, 1, rng)[0]) for _ in range(4000)]
    assert np.bincount(drawn, minlength=5) == pytest.approx([1000, 0, 1000, 1000, 1000], abs=120)


def test_a_mix_explores_as_much_as_it_says() -> None:
    rng, scores, read = np.random.default_rng(0), np.arange(1000.0), np.zeros(1000, dtype=bool)
    strayed = sum(Mix(0.2).next(scores, read, 1, rng)[0] != 999 for _ in range(2000))
    assert strayed == pytest.approx(400, abs=60)
    assert Mix(0.0).next(scores, read, 3, rng).tolist() == [999, 998, 997]


def test_a_mix_explores_less_the_more_was_read() -> None:
    rng, scores = np.random.default_rng(0), np.arange(1000.0)
    strayed = []
    for number in (0, FADING, 3 * FADING):
        read = np.arange(1000) < number
        strayed.append(sum(Mix(0.4).next(scores, read, 1, rng)[0] != 999 for _ in range(2000)) / 2000)
    assert strayed == pytest.approx([0.4, 0.2, 0.1], abs=0.04)


@pytest.mark.parametrize("explore", [-0.1, 1.1, float("nan"), "much"])
def test_a_share_is_between_0_and_1(explore: float) -> None:
    with pytest.raises(SettingError, match=r"^explore must be a share of what is read, from 0 to 1; got "):
        Mix(explore)


def test_orders_by_name() -> None:
    assert get_order("mix") == Mix()
    mine = Uncertain(1.0)
    assert get_order(mine) is mine
    for wrong in ("worst", 3, None, Mix):
        message = f"order must be mix, best, uncertain or random, or an order of your own; got {wrong!r}"
        with pytest.raises(SettingError, match=f"^{re.escape(message)}"):
            get_order(wrong)  # type: ignore[arg-type]
    assert list(ORDERS) == ["mix", "best", "uncertain", "random"]


@pytest.mark.parametrize("n", [0, -1, 1.5, "1", True])
def test_how_many(n: object) -> None:
    with pytest.raises(SettingError, match=r"^n must be a whole number of documents, 1 or more; got "):
        check_count(n)
