import numpy as np
import pytest

from benchmarks.paper.measures import decide, precision_range


def test_the_cut_is_on_the_training_scores() -> None:
    train = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    assert decide(np.array([0.75, 0.8, 0.85]), 0.3, train).tolist() == [False, True, True]
    assert decide(train, 0.3).sum() == 3


def test_ties_at_the_cut_are_taken_in() -> None:
    votes = np.array([0.0] * 95 + [1.0] * 5)
    assert decide(votes, 0.05).sum() == 5
    assert decide(votes, 0.31).all()


@pytest.mark.parametrize("prior", [0.0, 1e-9, 1.0])
def test_any_prior_has_a_cut(prior: float) -> None:
    assert decide(np.arange(10.0), prior).sum() == (10 if prior == 1 else 1)


def test_precision_in_the_worst_and_best_order_of_ties() -> None:
    labels = np.array([1] * 150 + [0] * 150)
    assert precision_range(labels, np.ones(300), 100) == (0.0, 1.0)
    assert precision_range(labels, np.arange(300.0), 100) == (0.0, 0.0)
