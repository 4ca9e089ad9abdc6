import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from keysift.keywords.beliefs import (
    AMBIGUOUS,
    FITS,
    TOO_FEW,
    UNCLEAR,
    Belief,
    _median_of_others,
    agreed,
    beliefs,
    places_among,
)


def slow_beliefs(occurrences: NDArray[np.float64], places: NDArray[np.float64]) -> list[tuple[float | None, int, str]]:
    of_keyword = [
        [place for row, place in enumerate(places) if occurrences[row, column] and place == place]
        for column in range(occurrences.shape[1])
    ]
    means = [np.mean(own) if own else None for own in of_keyword]
    rows = []
    for column, own in enumerate(of_keyword):
        others = [means[other] for other in range(len(means)) if other != column and len(of_keyword[other]) >= 5]
        bar = 0.5 + (np.median(np.array(others, dtype=float)) - 0.5) / 2 if others else 0.5
        mean = means[column]
        if mean is None or len(own) < 5:
            verdict = TOO_FEW
        else:
            verdict = AMBIGUOUS if mean + np.sqrt(1 / 12 / len(own)) < bar - 1e-9 else FITS
        rows.append((None if mean is None else float(mean), len(own), verdict))
    return rows


@given(
    arrays(np.float64, (24, 3), elements=st.sampled_from([0.0, 1.0, 2.0])),
    arrays(np.float64, 24, elements=st.sampled_from([np.nan, 0.0, 0.05, 0.31, 0.5, 0.77, 0.97])),
)
def test_beliefs_equal_the_slow_twin(occurrences: NDArray[np.float64], places: NDArray[np.float64]) -> None:
    for belief, (mean, documents, verdict) in zip(
        beliefs(sp.csr_array(occurrences), places), slow_beliefs(occurrences, places), strict=True
    ):
        assert belief.value == (None if mean is None else pytest.approx(mean))
        assert (belief.documents, belief.verdict) == (documents, verdict)


def test_beliefs_without_documents_or_keywords() -> None:
    assert beliefs(sp.csr_array((0, 2)), np.empty(0)) == [Belief(None, 0, TOO_FEW)] * 2
    assert beliefs(sp.csr_array((3, 0)), np.ones(3)) == []
    assert beliefs(sp.csr_array(np.ones((9, 1))), np.full(9, np.nan)) == [Belief(None, 0, TOO_FEW)]


def test_a_keyword_alone_is_compared_with_chance() -> None:
    occurrences = sp.csr_array(np.ones((100, 1)))
    assert beliefs(occurrences, np.full(100, 0.48))[0].verdict == FITS  # within a standard error of chance
    assert beliefs(occurrences, np.full(100, 0.4))[0].verdict == AMBIGUOUS


def test_keywords_that_hardly_believe_in_each_other_are_unclear_together() -> None:
    def verdicts(*means: float) -> list[str]:
        occurrences = sp.csr_array(np.repeat(np.eye(len(means)), 50, axis=0))
        return [one.verdict for one in agreed(beliefs(occurrences, np.repeat(means, 50)))]

    assert verdicts(0.58, 0.59, 0.42, 0.57) == [UNCLEAR] * 4
    assert verdicts(0.7, 0.8, 0.42, 0.75) == [FITS, FITS, AMBIGUOUS, FITS]
    assert verdicts(0.9, 0.55) == [FITS, AMBIGUOUS]
    assert verdicts(0.4) == [AMBIGUOUS]  # there are no others to agree
    few = [Belief(0.5, 4, TOO_FEW), Belief(0.5, 9, FITS), Belief(0.55, 9, FITS)]
    assert [one.verdict for one in agreed(few)] == [TOO_FEW, UNCLEAR, UNCLEAR]


def test_four_documents_are_too_few_and_no_yardstick() -> None:
    occurrences = sp.csr_array(np.repeat(np.eye(2), [4, 50], axis=0))
    few, many = beliefs(occurrences, np.repeat([1.0, 0.52], [4, 50]))
    assert (few.value, few.documents, few.verdict) == (1.0, 4, TOO_FEW)
    assert many.verdict == FITS


@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_places_equal_the_slow_twin(scores: list[int], others: list[int]) -> None:
    found = places_among(np.array(scores, dtype=float), np.array(others, dtype=float))
    assert found.tolist() == [sum(other < score for other in others) / len(others) for score in scores]


def test_no_place_among_nobody() -> None:
    assert np.isnan(places_among(np.ones(2), np.empty(0))).all()


@given(st.lists(st.sampled_from([np.nan, 0.1, 0.25, 0.5, 0.5, 0.9, 1 / 3]), max_size=7))
def test_the_median_of_the_others_equals_the_slow_twin(values: list[float]) -> None:
    means = np.array(values, dtype=np.float64)
    for place, found in enumerate(_median_of_others(means)):
        others = [mean for other, mean in enumerate(values) if other != place and mean == mean]
        assert found == (np.median(others) if others else 0.5)
