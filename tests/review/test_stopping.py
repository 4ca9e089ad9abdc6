import re
from functools import cache
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.errors import SettingError
from keysift.review.stopping import (
    MOST,
    Advice,
    Boundary,
    advise,
    draws_needed,
    spent,
)

COUNTS = st.integers(0, 150).flatmap(
    lambda unread: st.tuples(
        st.just(unread), st.integers(0, unread).flatmap(lambda drawn: st.tuples(st.just(drawn), st.integers(0, drawn)))
    )
)
SHARES = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])


def chance_of_a_wrong_stop(boundary: Boundary, K: int) -> float:
    """Draw by draw, looking after each: every way in which a check can go, with its chance."""
    unread, wrong = boundary.unread, 0.0
    going = {0: 1.0}
    for drawn in range(unread + 1):
        after: dict[int, float] = {}
        for x, chance in going.items():
            if drawn >= boundary.needed(x):
                wrong += chance * (boundary.found + x < boundary.target * (boundary.found + K) - 1e-9)
            elif drawn < unread:
                hit = (K - x) / (unread - drawn)
                after[x + 1] = after.get(x + 1, 0.0) + chance * hit
                after[x] = after.get(x, 0.0) + chance * (1 - hit)
        going = {x: chance for x, chance in after.items() if chance}
    return wrong


@pytest.mark.parametrize(("unread", "found"), [(1, 0), (7, 3), (30, 0), (30, 40), (45, 100), (60, 300), (60, 1000)])
@pytest.mark.parametrize("target", [0.8, 0.95, 1.0])
@pytest.mark.parametrize("alpha", [0.04, 0.3])
def test_to_stop_too_early_has_at_most_the_chance_allowed(unread: int, found: int, target: float, alpha: float) -> None:
    boundary = Boundary(unread, found, target, alpha)
    assert max(chance_of_a_wrong_stop(boundary, K) for K in range(unread + 1)) <= alpha + 1e-9


def test_most_of_that_chance_is_used() -> None:
    boundary = Boundary(200, 300, 0.95, 0.05)
    assert max(chance_of_a_wrong_stop(boundary, K) for K in range(30)) > 0.045


def test_the_interval_holds_whenever_one_looks() -> None:
    """Over all draws of a check, not at one moment; exact, by every way in which a check can go."""
    unread, found, confidence = 30, 60, 0.8

    @cache
    def holds(drawn: int, x: int, K: int) -> bool:
        advice = advise(unread, found + x, drawn, x, confidence=confidence)
        return advice.low <= K - x <= advice.high

    for K in (0, 1, 3, 10, 29, 30):
        going, missed = {0: 1.0}, 0.0
        for drawn in range(unread + 1):
            missed += sum(chance for x, chance in going.items() if not holds(drawn, x, K))
            going = {x: chance for x, chance in going.items() if holds(drawn, x, K)}
            after: dict[int, float] = {}
            for x, chance in going.items() if drawn < unread else ():
                hit = (K - x) / (unread - drawn)
                after[x + 1] = after.get(x + 1, 0.0) + chance * hit
                after[x] = after.get(x, 0.0) + chance * (1 - hit)
            going = {x: chance for x, chance in after.items() if chance}
        # Reached may be said by the test as well as by the interval, so each has its own chance to be wrong.
        assert missed <= 2 * (1 - confidence)


def test_nothing_relevant_in_the_sample_is_the_hypergeometric_test() -> None:
    """With no relevant draw the chance is that of drawing none of K = k + 1, at the share of alpha kept for it."""
    needed = Boundary(500, 100, 0.95, 0.05).needed(0)
    level = 0.05 * 0.95 * 0.7
    assert comb(500 - 6, needed) / comb(500, needed) <= level < comb(500 - 6, needed - 1) / comb(500, needed - 1)


@settings(max_examples=50)
@given(counts=COUNTS, found=st.integers(0, 300), target=SHARES, confidence=SHARES, check=st.integers(1, 4))
def test_advice_is_of_one_piece(
    counts: tuple[int, tuple[int, int]], found: int, target: float, confidence: float, check: int
) -> None:
    unread, (drawn, relevant) = counts
    found += relevant
    advice = advise(unread, found, drawn, relevant, check, target, confidence)
    assert 0 <= advice.low <= advice.high <= unread - drawn
    assert advice.more is not None
    assert 0 <= advice.more <= unread - drawn
    assert advice.reached == (advice.more == 0) == (advice.recall >= target - 1e-9)
    assert 0 <= advice.recall <= 1
    if not advice.reached:
        later = advise(unread, found, drawn + advice.more, relevant, check, target, confidence)
        assert later.reached
        if advice.more > 1:
            assert not advise(unread, found, drawn + advice.more - 1, relevant, check, target, confidence).reached


@settings(max_examples=25)
@given(unread=st.integers(1, 300), found=st.integers(0, 200), target=SHARES, confidence=SHARES)
def test_more_relevant_draws_need_more_draws(unread: int, found: int, target: float, confidence: float) -> None:
    needed = [draws_needed(unread, found, x, 1, target, confidence) for x in range(min(unread, 30) + 1)]
    assert needed == sorted(needed)
    assert needed[-1] <= unread


@settings(max_examples=50)
@given(counts=COUNTS, found=st.integers(0, 300))
def test_more_relevant_draws_leave_no_fewer_unread(counts: tuple[int, tuple[int, int]], found: int) -> None:
    """With as many found before the check."""
    unread, (drawn, relevant) = counts
    if relevant < drawn:
        fewer = advise(unread, found + relevant, drawn, relevant)
        more = advise(unread, found + relevant + 1, drawn, relevant + 1)
        if fewer.reached == more.reached:
            assert more.low >= fewer.low - 1
            assert more.high >= fewer.high - 1
        assert fewer.more is not None
        assert more.more is not None
        assert more.more >= fewer.more


@settings(max_examples=30)
@given(unread=st.integers(0, 2000), found=st.integers(0, 2000), check=st.integers(1, 5))
def test_later_checks_need_no_fewer_draws(unread: int, found: int, check: int) -> None:
    assert draws_needed(unread, found, 0, check) <= draws_needed(unread, found, 0, check + 1)


def test_checks_share_the_chance_to_be_wrong() -> None:
    assert sum(spent(check, 0.9) for check in range(1, 60)) == pytest.approx(0.1)
    assert spent(1) > spent(2) > spent(3)


def test_many_checks_together_are_wrong_at_most_as_often_as_allowed() -> None:
    """Each check is given up at its first relevant document, and the next one begins right away."""
    rng = np.random.default_rng(0)
    relevant, found, wrong, runs = 12, 120, 0, 1500  # six may be missed, so that most checks see one
    for _ in range(runs):
        places = np.sort(rng.choice(200, relevant, replace=False))
        begin, got, check = 0, 0, 1
        for place in [*places.tolist(), 200]:
            if draws_needed(200 - begin, found + got, 0, check, confidence=0.8) <= place - begin:
                wrong += found + got < 0.95 * (found + relevant)
                break
            begin, got, check = place + 1, got + 1, check + 1
    assert 0 < wrong / runs <= 0.2


def test_the_ends() -> None:
    assert advise(0, 0, 0, 0) == Advice(0.95, 0.95, 0, 0, 1.0, True, 0)
    assert advise(0, 7, 0, 0).reached
    everything = advise(50, 12, 50, 5)
    assert (everything.low, everything.high, everything.recall, everything.reached) == (0, 0, 1.0, True)
    nothing = advise(50, 0, 0, 0)
    assert (nothing.low, nothing.high, nothing.recall, nothing.reached) == (0, 50, 0.0, False)
    assert nothing.more == 49  # none was found, so none may be left; of 50, the last one is relevant once in 50
    assert not advise(50, 0, 48, 0).reached
    assert advise(10, 10_000, 0, 0).reached  # ten more or less are nothing


def test_few_found_means_nearly_everything_is_read() -> None:
    """Two may be missed: 63 % of the unread for one fixed sample at 95 %, more for all looks and later checks."""
    more = advise(2000, 40, 0, 0).more
    assert more is not None
    assert 1270 < more < 1420


def test_a_check_that_finds_very_many_is_decided_by_the_interval() -> None:
    assert draws_needed(100_000, 4000, MOST - 1) < draws_needed(100_000, 4000, MOST) < 100_000
    rng = np.random.default_rng(0)
    unread, K, found = 2000, 190, 3400  # 178 are allowed
    wrong = 0
    for _ in range(40):
        drawn = np.sort(rng.choice(unread, K, replace=False)) + 1
        edges = [0, *drawn.tolist(), unread + 1]
        for x in range(K + 1):
            enough = max(draws_needed(unread, found, x), edges[x])
            if enough < edges[x + 1]:
                wrong += found + x < 0.95 * (found + K)
                break
    assert wrong <= 6


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((-1, 0, 0, 0), "unread must be a whole number, 0 or more; got -1."),
        ((5, 1.5, 0, 0), "found must be a whole number, 0 or more; got 1.5."),
        ((5, 0, True, 0), "drawn must be a whole number, 0 or more; got True."),
        ((5, 5, 6, 0), "There cannot be more drawn than unread documents; got 6 and 5."),
        ((5, 5, 2, 3), "There cannot be more relevant than drawn documents; got 3 and 2."),
        ((5, 1, 2, 2), "There cannot be more relevant than found documents; got 2 and 1."),
        ((5, 1, 2, 1, 0), "check must be a whole number, 1 or more; got 0."),
        ((5, 1, 2, 1, 1, 0.0), "target must be above 0 and at most 1, like 0.95; got 0.0."),
        ((5, 1, 2, 1, 1, 0.9, 1.0), "confidence must be above 0 and below 1, like 0.95; got 1.0."),
        ((5, 1, 2, 1, 1, float("nan")), "target must be above 0 and at most 1, like 0.95; got nan."),
    ],
)
def test_counts_that_cannot_be(counts: tuple[int, ...], message: str) -> None:
    with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
        advise(*counts)


def test_numbers_of_numpy() -> None:
    assert advise(np.int64(50), np.int64(5), np.int32(3), np.int64(0)) == advise(50, 5, 3, 0)  # type: ignore[arg-type]
