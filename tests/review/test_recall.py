import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.errors import InputError
from keysift.review.recall import RecallCurve

READ = (
    st.lists(st.booleans(), min_size=2, max_size=60)
    .filter(lambda read: any(read) and not all(read))
    .map(lambda read: np.array(read))
)


@given(relevant=READ)
def test_the_loss_is_one_minus_auc(relevant: NDArray[np.bool_]) -> None:
    curve = RecallCurve.of(relevant)
    assert curve.loss == pytest.approx(1 - roc_auc_score(relevant, -np.arange(len(relevant))))
    assert 0 <= curve.loss <= 1


@given(relevant=READ)
def test_the_loss_as_asreview_writes_it(relevant: NDArray[np.bool_]) -> None:
    there, documents = int(relevant.sum()), len(relevant)
    expected = (there * (documents - (there - 1) / 2) - np.cumsum(relevant).sum()) / (there * (documents - there))
    assert RecallCurve.of(relevant).loss == pytest.approx(expected)


@given(relevant=READ)
def test_perfect_is_0_and_the_other_way_round_is_1(relevant: NDArray[np.bool_]) -> None:
    first = np.sort(relevant)[::-1]
    assert RecallCurve.of(first).loss == pytest.approx(0.0)
    assert RecallCurve.of(first[::-1]).loss == pytest.approx(1.0)


@given(relevant=READ)
def test_the_curve_rises_to_one(relevant: NDArray[np.bool_]) -> None:
    recall = RecallCurve.of(relevant).recall
    assert (np.diff(recall) >= 0).all()
    assert recall[-1] == 1.0


@given(relevant=READ, recall=st.floats(0.05, 1.0))
def test_what_is_read_for_a_recall_is_the_least_that_does(relevant: NDArray[np.bool_], recall: float) -> None:
    curve = RecallCurve.of(relevant)
    read = curve.read_for(recall)
    assert curve.recall[read - 1] >= recall - 1e-9
    assert read == 1 or curve.recall[read - 2] < recall
    assert curve.work_saved(recall) == pytest.approx(recall - read / len(relevant))


@given(relevant=READ, seed=st.integers(0, 3))
def test_chance_is_the_mean_over_many_orders(relevant: NDArray[np.bool_], seed: int) -> None:
    rng = np.random.default_rng(seed)
    chance = RecallCurve.expected(len(relevant), int(relevant.sum()))
    assert chance.loss == pytest.approx(0.5)
    losses = [RecallCurve.of(rng.permutation(relevant)).loss for _ in range(300)]
    assert np.mean(losses) == pytest.approx(0.5, abs=0.12)
    assert abs(chance.work_saved()) <= 0.05 + 1 / len(relevant)


@pytest.mark.parametrize("relevant", [[], [True, True], [False, False]])
def test_a_curve_needs_both_kinds(relevant: list[bool]) -> None:
    with pytest.raises(InputError, match=r"^A recall curve needs documents that are relevant and some that are not; "):
        RecallCurve.of(np.array(relevant, dtype=bool))
