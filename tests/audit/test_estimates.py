import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from keysift.audit.cells import Cells
from keysift.audit.estimates import Estimate, exact_bounds, recall, recall_bound, share


def cells(*parts: tuple[int, int, int]) -> Cells:
    size, judged, relevant = (np.array(column) for column in zip(*parts, strict=True))
    return Cells(size, judged, relevant, np.full(len(parts), 0.5))


@st.composite
def drawn(draw: st.DrawFn) -> tuple[int, int, int]:
    size = draw(st.integers(1, 400))
    judged = draw(st.integers(1, min(size, 60)))
    return size, judged, draw(st.integers(0, judged))


parts = st.lists(drawn(), min_size=1, max_size=3)


def holds(estimate: Estimate) -> bool:
    inside = estimate.value is None or estimate.low <= estimate.value <= estimate.high
    return 0.0 <= estimate.low <= estimate.high <= 1.0 + 1e-12 and inside


@given(parts, parts)
@settings(max_examples=25)
def test_the_interval_holds_the_estimate(first: list[tuple[int, int, int]], second: list[tuple[int, int, int]]) -> None:
    inside, outside = cells(*first), cells(*second)
    alone = share(inside)
    assert alone is not None
    assert holds(alone)
    assert holds(recall(inside, outside))
    assert 0.0 <= recall_bound(inside, outside) <= 1.0


@given(st.lists(st.tuples(st.integers(1, 300), st.floats(0, 1)), min_size=2, max_size=4))
@settings(max_examples=20)
def test_all_documents_judged_is_exact(given: list[tuple[int, float]]) -> None:
    whole = cells(*((size, size, round(size * rate)) for size, rate in given))
    estimate = share(whole)
    truth = whole.relevant.sum() / whole.size.sum()
    assert estimate is not None
    assert [estimate.value, estimate.low, estimate.high] == pytest.approx([truth] * 3)
    head, tail = (
        cells(*[(s, s, round(s * r)) for s, r in given[:1]]),
        cells(*[(s, s, round(s * r)) for s, r in given[1:]]),
    )
    found = recall(head, tail)
    if whole.relevant.sum():
        kept = head.relevant.sum() / whole.relevant.sum()
        assert [found.low, found.high] == pytest.approx([kept] * 2)
        assert recall_bound(head, tail) == pytest.approx(kept)
    else:
        assert (found.value, found.low, found.high) == (None, 0.0, 1.0)


@given(drawn())
def test_exact_bounds_are_those_of_the_slow_search(given: tuple[int, int, int]) -> None:
    size, judged, relevant = given
    possible = np.arange(relevant, size - (judged - relevant) + 1)
    kept = possible[
        (hypergeom.sf(relevant - 1, size, possible, judged) > 0.025)
        & (hypergeom.cdf(relevant, size, possible, judged) > 0.025)
    ]
    assert exact_bounds(size, judged, relevant) == (kept[0], kept[-1])


def test_nothing_found_does_not_mean_that_there_is_nothing() -> None:
    none = share(cells((1000, 20, 0), (1000, 20, 0)))
    assert none is not None
    assert none.low == 0.0
    assert none.high > 0.05
    everything = recall(cells((100, 20, 20)), cells((5000, 30, 0)))
    assert (everything.value, everything.high) == (1.0, 1.0)
    assert everything.low < 0.6


def test_more_answers_make_it_shorter() -> None:
    few, many = share(cells((1000, 20, 10), (1000, 20, 2))), share(cells((1000, 200, 100), (1000, 200, 20)))
    assert few is not None
    assert many is not None
    assert many.high - many.low < (few.high - few.low) / 2


def test_no_document_has_no_share() -> None:
    assert share(Cells(*(np.zeros(0, dtype=np.int64),) * 3, np.zeros(0))) is None


@pytest.mark.parametrize("rates", [(0.95, 0.6, 0.3, 0.02), (1.0, 0.9, 0.5, 0.2), (0.8, 0.5, 0.05, 0.005)])
def test_intervals_hold_the_truth_and_the_bound_is_on_the_safe_side(rates: tuple[float, ...]) -> None:
    rng = np.random.default_rng(0)
    sizes, judged = np.array([100, 400, 900, 3000]), np.array([8, 40, 24, 28])
    positives = np.round(sizes * np.array(rates)).astype(int)
    truth = positives[:2].sum() / positives.sum()
    held, safe, times = 0, 0, 100
    for _ in range(times):
        found = rng.hypergeometric(positives, sizes - positives, judged)
        rows = list(zip(sizes.tolist(), judged.tolist(), found.tolist(), strict=True))
        inside, outside = cells(*rows[:2]), cells(*rows[2:])
        estimate = recall(inside, outside)
        held += estimate.low <= truth <= estimate.high
        safe += recall_bound(inside, outside) <= truth
    assert held >= 0.91 * times
    assert safe >= 0.95 * times
