import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.review.heuristics import HEURISTICS, Heuristic, InARow, Knee, Share, TimeToCheck

READ = st.lists(st.booleans(), max_size=80).map(lambda read: np.array(read, dtype=bool))
SMALL: list[Heuristic] = [InARow(3), Knee(fewest=10, steepest=20), Share(0.3), TimeToCheck(0.8, shortest=4, share=0.5)]


@pytest.mark.parametrize("rule", SMALL, ids=lambda rule: type(rule).__name__)
@given(read=READ, more=READ)
def test_what_is_read_later_changes_nothing(rule: Heuristic, read: NDArray[np.bool_], more: NDArray[np.bool_]) -> None:
    """A rule that has spoken stands by it, and one that has not speaks later."""
    documents = len(read) + len(more) + 5
    said, later = rule.when(read, documents), rule.when(np.concatenate([read, more]), documents)
    assert later == said if said is not None else later is None or later > len(read)


@given(read=READ, row=st.integers(1, 6))
def test_in_a_row_as_one_counts(read: NDArray[np.bool_], row: int) -> None:
    run, first = 0, None
    for place, relevant in enumerate(read, start=1):
        run = 0 if relevant else run + 1
        if run == row and first is None:
            first = place
    assert InARow(row).when(read, 100) == first


@given(read=READ)
def test_time_to_check_as_one_counts(read: NDArray[np.bool_]) -> None:
    run, found, first = 0, 0, None
    for place, relevant in enumerate(read, start=1):
        run, found = (0, found + 1) if relevant else (run + 1, found)
        enough = max(4, 0.5 * (100 - place) / (int(found / 0.8 - found + 1e-9) + 1))
        if run >= enough and first is None:
            first = place
    assert TimeToCheck(0.8, shortest=4, share=0.5).when(read, 100) == first


def test_few_found_in_many_documents_need_a_longer_row() -> None:
    read = np.repeat([True, False], [20, 4000])
    few, many = (TimeToCheck().when(read, documents) for documents in (1000, 5000))
    assert few is not None
    assert many is not None
    assert 20 + 50 < few < many
    assert TimeToCheck().when(np.repeat([True, False], [2000, 200]), 5000) == 2050


def test_the_knee_is_where_finding_ends() -> None:
    sharp = np.repeat([True, False], [150, 1500])
    assert Knee().when(sharp, 9999) is not None
    rng = np.random.default_rng(0)
    assert Knee().when(rng.random(5000) < 0.1, 9999) is None  # no bend
    assert Knee().when(np.zeros(5000, dtype=bool), 9999) is None
    assert Knee().when(sharp[:900], 9999) is None  # not before 1,000 are read


def test_the_names_and_numbers_of_the_field() -> None:
    assert {"row": InARow(200), "knee": Knee(1000, 156), "half": Share(0.5), "check": TimeToCheck(0.95)} == HEURISTICS
