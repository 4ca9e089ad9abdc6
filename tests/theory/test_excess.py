import itertools
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.errors import InputError, SettingError
from keysift.risk.losses import LOSSES, Loss, get_loss
from keysift.risk.pairwise import pairwise_risk
from keysift.risk.sides import Scores, Sides
from keysift.theory.excess import RiskParts, split_corrupted_sets, split_mixture
from tests.risk.cases import EIGHTHS, EXTREMES, FLOATS, SHEET, loss_id, problems

Labelled: TypeAlias = tuple[Scores, list[int], Scores, list[int]]

every_loss = pytest.mark.parametrize("loss", SHEET, ids=loss_id)
SHARES = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.0, 1.0))


def largest_loss(loss: Loss, *scores: Scores) -> float:
    """What rounding is measured against: no part is larger, nor any step of the loss's own formula."""
    everyone = np.concatenate(scores)
    widest = float(everyone.max() - everyone.min())
    within = 0.0 if loss.hinges is None else abs(loss.hinges.intercept) + abs(loss.hinges.slope) * widest
    return 1.0 + float(np.abs(loss.value([-widest, widest])).max()) + within


def assert_adds_up(parts: RiskParts, scale: float) -> None:
    assert parts.total == pytest.approx(parts.corrupted, rel=0, abs=1e-14 * scale)


def word_for_word(loss: Loss, positive: Scores, negative: Scores, theta: float, theta_prime: float) -> list[float]:
    """The clean risk and the three excessive terms of Theorem 1 by double loops, equal weights."""

    def mean(left: Scores, right: Scores, both_ways: bool) -> float:
        pairs = [(x, y) for x in left for y in right]
        return float(np.mean([loss.value(x - y) + (loss.value(y - x) if both_ways else 0.0) for x, y in pairs]))

    return [
        mean(positive, negative, both_ways=False),
        (1 - theta) * theta_prime * mean(positive, negative, both_ways=True),
        theta * theta_prime / 2 * mean(positive, positive, both_ways=True),
        (1 - theta) * (1 - theta_prime) / 2 * mean(negative, negative, both_ways=True),
    ]


@st.composite
def labelled_sets(draw: st.DrawFn) -> Labelled:
    """Two sets with labels; both classes are there, but a set may have only one."""
    sets = [draw(st.lists(st.tuples(FLOATS, st.integers(0, 1)), min_size=1, max_size=9)) for _ in range(2)]
    if len({label for one in sets for _, label in one}) == 1:
        sets[draw(st.integers(0, 1))].append((draw(FLOATS), 1 - sets[0][0][1]))
    (cp, cp_labels), (cn, cn_labels) = (zip(*one, strict=True) for one in sets)
    return np.array(cp), list(cp_labels), np.array(cn), list(cn_labels)


@every_loss
@settings(max_examples=40)
@given(sides=st.one_of(problems(EIGHTHS), problems(FLOATS)), theta=SHARES, theta_prime=SHARES)
def test_parts_of_a_mixture_add_up(loss: Loss, sides: Sides, theta: float, theta_prime: float) -> None:
    P, N, a, b = sides.positive, sides.negative, sides.positive_weights, sides.negative_weights
    parts = split_mixture(loss, P, N, theta, theta_prime, positive_weights=a, negative_weights=b)
    assert_adds_up(parts, largest_loss(loss, P, N))
    assert (parts.theta, parts.theta_prime, parts.selection) == (theta, theta_prime, 0.0)


@every_loss
@pytest.mark.parametrize("sides", EXTREMES)
def test_parts_of_extremes_add_up(loss: Loss, sides: Sides) -> None:
    some = slice(300)  # a double sum over 3,000 takes seconds
    P, a = sides.positive[some], sides.positive_weights[some]
    N, b = sides.negative[some], sides.negative_weights[some]
    for theta, theta_prime in [(1.0, 0.0), (0.9, 0.2), (0.3, 0.6), (0.5, 0.5)]:
        parts = split_mixture(loss, P, N, theta, theta_prime, positive_weights=a, negative_weights=b)
        assert_adds_up(parts, largest_loss(loss, P, N))


@every_loss
@settings(max_examples=15)
@given(sides=problems(EIGHTHS), theta=SHARES, theta_prime=SHARES)
def test_parts_are_those_of_the_theorem(loss: Loss, sides: Sides, theta: float, theta_prime: float) -> None:
    P, N = sides.positive, sides.negative
    parts = split_mixture(loss, P, N, theta, theta_prime)
    got = [parts.clean, parts.positive_negative, parts.positive_positive, parts.negative_negative]
    expected = word_for_word(loss, P, N, theta, theta_prime)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-13 * largest_loss(loss, P, N))


def test_clean_sets_have_no_excess() -> None:
    parts = split_mixture(get_loss("logistic"), [1.0, 2.0], [0.0, -1.0], theta=1.0, theta_prime=0.0)
    assert (parts.excess, parts.corrupted) == (0.0, parts.clean)


@every_loss
@settings(max_examples=40)
@given(sets=labelled_sets())
def test_parts_of_two_labelled_sets_add_up(loss: Loss, sets: Labelled) -> None:
    cp, cp_labels, cn, cn_labels = sets
    parts = split_corrupted_sets(loss, cp, cp_labels, cn, cn_labels)
    assert_adds_up(parts, largest_loss(loss, cp, cn))
    assert [parts.theta, parts.theta_prime] == [float(np.mean(labels)) for labels in (cp_labels, cn_labels)]
    assert parts.corrupted == pytest.approx(float(np.mean(loss.value(np.subtract.outer(cp, cn)))), abs=1e-9)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=loss_id)
def test_selection_is_zero_on_average_over_all_ways_to_deal_out_each_class(loss: Loss) -> None:
    P, N = np.array([0.5, 2.0, 1.0, -0.25]), np.array([0.0, -1.5, 1.0])
    selections = []
    for chosen in itertools.combinations(range(4), 3):
        for taken in itertools.combinations(range(3), 1):
            p, n = np.isin(range(4), chosen), np.isin(range(3), taken)
            cp, cn = np.concatenate([P[p], N[n]]), np.concatenate([P[~p], N[~n]])
            selections.append(split_corrupted_sets(loss, cp, [1, 1, 1, 0], cn, [1, 0, 0]).selection)
    assert np.mean(selections) == pytest.approx(0.0, abs=1e-15 * largest_loss(loss, P, N))
    assert np.std(selections) > 1e-3


@pytest.mark.parametrize("loss", [loss for loss in LOSSES.values() if loss.symmetric], ids=loss_id)
@settings(max_examples=30)
@given(sets=labelled_sets())
def test_excess_of_a_symmetric_loss_is_constant_on_labelled_sets(loss: Loss, sets: Labelled) -> None:
    parts = split_corrupted_sets(loss, *sets)
    assert loss.K is not None
    expected = loss.K * (1 - parts.theta + parts.theta_prime) / 2
    assert parts.excess == pytest.approx(expected, abs=1e-11)


def test_a_set_without_corruption_has_no_selection() -> None:
    parts = split_corrupted_sets(get_loss("hinge"), [2.0, 1.0], [1, 1], [0.5], [0])
    assert (parts.theta, parts.theta_prime, parts.excess, parts.selection) == (1.0, 0.0, 0.0, 0.0)
    assert parts.clean == parts.corrupted == 0.25


def test_the_fast_risk_is_close() -> None:
    rng, loss = np.random.default_rng(0), get_loss("sigmoid")
    cp, cn = rng.normal(1, 2, 700), rng.normal(-1, 2, 900)
    labels = rng.integers(0, 2, 700), rng.integers(0, 2, 900)
    exact = split_corrupted_sets(loss, cp, labels[0], cn, labels[1])
    fast = split_corrupted_sets(loss, cp, labels[0], cn, labels[1], risk=pairwise_risk)
    assert fast.clean == pytest.approx(exact.clean, abs=1e-6)
    assert fast.selection == pytest.approx(exact.selection, abs=1e-6)
    assert fast.clean != exact.clean  # so the argument is used


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], [0.0], 1.5, 0.0), r"theta is a share .* between 0 and 1; got 1\.5"),
        (([1.0], [0.0], 0.5, float("nan")), "theta_prime is a share .* got nan"),
        (([], [0.0], 0.5, 0.1), r"positive must be a list of one or more scores; got an array of shape \(0,\)"),
        (([1.0], [[0.0]], 0.5, 0.1), r"negative must be a list .* shape \(1, 1\)"),
        (([1.0], [np.inf], 0.5, 0.1), "negative must be finite; 1 of 1 scores are not"),
    ],
)
def test_mixture_refuses(arguments: tuple[list[float], list[float], float, float], message: str) -> None:
    with pytest.raises((SettingError, InputError), match=message):
        split_mixture(get_loss("sigmoid"), *arguments)


@pytest.mark.parametrize("weights", [[1.0], [-1.0, 2.0], [0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_mixture_refuses_weights(weights: list[float]) -> None:
    with pytest.raises(InputError, match="weights of the positive scores must be 2 numbers of 0 or more, not all 0"):
        split_mixture(get_loss("sigmoid"), [1.0, 2.0], [0.0], 0.6, 0.4, positive_weights=weights)


@pytest.mark.parametrize(
    ("cp_labels", "cn_labels", "message"),
    [
        ([1, 1], [1], "got 3 positives and 0 negatives"),
        ([0, 0], [0], "got 0 positives and 3 negatives"),
        ([1, 2], [0], r"cp_labels must have 2 labels, 1 .* values \[1, 2\]"),
        ([1, -1], [0], r"cp_labels must have 2 labels"),
        ([1, 0], [0, 1], r"cn_labels must have 1 labels, .* shape \(2,\)"),
    ],
)
def test_labelled_sets_refuse(cp_labels: list[int], cn_labels: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        split_corrupted_sets(get_loss("sigmoid"), [1.0, 2.0], cp_labels, [0.0], cn_labels)
