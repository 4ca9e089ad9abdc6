from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.errors import InputError
from keysift.metrics import auc_between, evaluate, precision_at_k
from keysift.risk.losses import get_loss
from keysift.risk.ranks import ranks_risk
from keysift.risk.sides import Sides

LABELLED = st.lists(st.tuples(st.integers(0, 1), st.integers(-40, 40).map(lambda n: n / 8)), min_size=2, max_size=30)
Labelled = list[tuple[int, float]]


def columns(labelled: Labelled) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    labels, scores = zip(*labelled, strict=True)
    assume(len(set(labels)) == 2)
    return np.array(labels), np.array(scores)


def test_known_values_with_ties() -> None:
    result = evaluate([1, 0, 1, 0, 0], [0.9, 0.8, 0.8, 0.1, 0.1], [1, 1, 0, 0, 0])
    assert (result.documents, result.positives) == (5, 2)
    assert result.auc == pytest.approx(5.5 / 6)  # Six pairs, one of them tied.
    assert result.average_precision == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert result.precision_at_100 == pytest.approx(2 / 5)  # There are only five.
    assert result.accuracy == pytest.approx(3 / 5)
    assert result.macro_f1 == pytest.approx((1 / 2 + 2 / 3) / 2)


@pytest.mark.parametrize("decision", [0, 1])
def test_the_same_decision_for_all_is_no_error(decision: int) -> None:
    result = evaluate([1, 0, 0, 0], [4, 3, 2, 1], [decision] * 4)
    assert result.accuracy == (0.25 if decision else 0.75)
    assert 0 < result.macro_f1 < 0.5


@settings(deadline=None, max_examples=30)
@given(labelled=LABELLED)
def test_auc_is_one_minus_the_zero_one_risk(labelled: Labelled) -> None:
    labels, scores = columns(labelled)
    risk = ranks_risk(get_loss("zero_one"), Sides.of(scores[labels == 1], scores[labels == 0])).value
    assert evaluate(labels, scores, labels).auc == pytest.approx(1 - risk, abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(labelled=LABELLED)
def test_auc_between_is_that_of_scikit_learn(labelled: Labelled) -> None:
    labels, scores = columns(labelled)
    between = auc_between(scores[labels == 1], scores[labels == 0])
    assert between == pytest.approx(evaluate(labels, scores, labels).auc, abs=1e-12)


@pytest.mark.parametrize("rising", [np.exp, lambda s: s**3 + s], ids=["exp", "cubic"])
@settings(deadline=None, max_examples=30)
@given(labelled=LABELLED)
def test_only_the_order_counts(
    rising: Callable[[NDArray[np.float64]], NDArray[np.float64]], labelled: Labelled
) -> None:
    labels, scores = columns(labelled)
    assert evaluate(labels, rising(scores), labels) == evaluate(labels, scores, labels)


@settings(deadline=None, max_examples=50)
@given(labelled=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=5), k=st.integers(1, 6))
def test_precision_at_k_is_the_mean_over_the_orders_of_a_tie(labelled: list[tuple[int, int]], k: int) -> None:
    orders = [sorted(order, key=lambda pair: -pair[1])[:k] for order in permutations(labelled)]
    expected = np.mean([np.mean([label for label, _ in top]) for top in orders])
    labels, scores = zip(*labelled, strict=True)
    assert precision_at_k(labels, scores, k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("labels", "message"),
    [([1, 1, 1], "All 3 labels are 1"), ([0, 0], "All 2 labels are 0"), ([], "All 0 labels are missing")],
)
def test_one_class_is_not_enough(labels: list[int], message: str) -> None:
    with pytest.raises(InputError, match=f"{message}; metrics need positive and negative documents"):
        evaluate(labels, np.zeros(len(labels)), labels)
