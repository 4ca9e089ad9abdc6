import numpy as np
import pytest

from keysift.errors import InputError
from keysift.risk.sides import Sides, normalised


def test_normalised_adds_up_to_one() -> None:
    assert normalised(None, 4).tolist() == [0.25] * 4
    assert normalised(np.array([1.0, 3.0]), 2).tolist() == [0.25, 0.75]


def test_each_side_has_its_own_weights() -> None:
    sides = Sides.of(np.zeros(2), np.zeros(4), positive_weights=np.array([1.0, 3.0]))
    assert sides.positive_weights.tolist() == [0.25, 0.75]
    assert sides.negative_weights.tolist() == [0.25] * 4
    turned = Sides.of(np.zeros(4), np.zeros(2), negative_weights=np.array([1.0, 3.0]))
    assert turned.negative_weights.tolist() == [0.25, 0.75]


def test_other_scores_keep_the_very_same_weights() -> None:
    # Weights that were normalised twice may differ in the last bit, and so would a ranking.
    sides = Sides.of(np.zeros(3), np.zeros(2), np.array([0.1, 0.2, 0.4]), np.array([0.3, 0.1]))
    moved = sides.at(np.arange(3.0), np.arange(2.0))
    assert moved.positive.tolist() == [0, 1, 2]
    assert moved.negative.tolist() == [0, 1]
    assert moved.positive_weights is sides.positive_weights
    assert moved.negative_weights is sides.negative_weights


@pytest.mark.parametrize(("positive", "negative"), [(0, 2), (3, 0)])
def test_a_side_without_scores_is_refused(positive: int, negative: int) -> None:
    with pytest.raises(InputError, match=f"got {positive} positive and {negative} negative ones"):
        Sides.of(np.zeros(positive), np.zeros(negative))


@pytest.mark.parametrize("side", ["positive", "negative"])
def test_scores_that_are_nan_are_refused_with_a_sentence(side: str) -> None:
    scores = {"positive": np.zeros(2), "negative": np.zeros(3)}
    scores[side] = np.array([1.0, np.nan, 0.0, np.nan])
    with pytest.raises(InputError, match=rf"2 of 4 {side} scores are NaN; drop those documents"):
        Sides.of(**scores)
    # An infinite score is a score: it is above or below all others.
    assert Sides.of(np.array([np.inf]), np.array([-np.inf])).positive.tolist() == [np.inf]


def test_one_weight_for_each_score() -> None:
    with pytest.raises(InputError, match=r"The negative set .* scores of shape \(3,\) and weights of shape \(1,\)"):
        Sides.of(np.zeros(2), np.zeros(3), negative_weights=np.ones(1))
    with pytest.raises(InputError, match=r"The positive set .* scores of shape \(5,\) and weights of shape \(1,\)"):
        Sides.of(np.zeros(1), np.zeros(3)).at(np.zeros(5), np.zeros(3))
