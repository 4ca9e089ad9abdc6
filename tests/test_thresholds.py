import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.errors import SettingError
from keysift.posteriors import Interval, Posterior, through_mean
from keysift.thresholds import Threshold, check_prior, check_threshold, cut, cut_at_prior, cut_at_top, cut_for

FLOATS = st.floats(-1e300, 1e300)
DISTINCT = st.lists(FLOATS, min_size=1, max_size=30, unique=True).map(np.array)
TIED = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=30).map(np.array)
PRIORS = st.floats(0.001, 0.999)


def above(scores: np.ndarray, threshold: float) -> int:
    return int((scores > threshold).sum())


@settings(deadline=None, max_examples=50)
@given(scores=DISTINCT, k=st.integers(-1, 35))
def test_exactly_k_are_above(scores: np.ndarray, k: int) -> None:
    assert above(scores, cut_at_top(scores, k)) == min(max(k, 0), len(scores))


@settings(deadline=None, max_examples=200)
@given(scores=TIED, k=st.integers(0, 35))
def test_ties_stay_together_and_the_number_above_is_the_nearest_to_k(scores: np.ndarray, k: int) -> None:
    possible = {above(scores, score) for score in [*scores, -np.inf]}
    nearest = min(abs(number - k) for number in possible)
    assert above(scores, cut_at_top(scores, k)) == min(n for n in possible if abs(n - k) == nearest)


def test_the_top_is_never_empty_for_a_tie() -> None:
    scores = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    assert above(scores, cut_at_top(scores, 2)) == 3
    assert above(scores, cut_at_prior(scores, 1 / 3)) == 3


def test_neighbouring_floats_are_told_apart() -> None:
    scores = np.array([1.0, np.nextafter(1.0, 2.0)])
    assert above(scores, cut_at_top(scores, 1)) == 1


@settings(deadline=None, max_examples=50)
@given(scores=DISTINCT, prior=PRIORS)
def test_the_prior_is_a_share(scores: np.ndarray, prior: float) -> None:
    assert abs(above(scores, cut_at_prior(scores, prior)) - prior * len(scores)) <= 0.5 + 1e-9


@settings(deadline=None, max_examples=50)
@given(scores=st.one_of(DISTINCT, TIED), data=st.data())
def test_a_weight_of_two_is_a_document_twice(scores: np.ndarray, data: st.DataObject) -> None:
    times = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(scores), max_size=len(scores))))
    # Eighths are exact in binary, so that both ways round alike.
    prior = data.draw(st.integers(1, 7)) / 8
    expected = cut_at_prior(np.repeat(scores, times), prior)
    assert cut_at_prior(scores, prior, times.astype(np.float64)) == expected
    assert cut_at_prior(scores, prior, times / 8) == expected


FOUR = Posterior(np.array([0.1, 0.2, 0.3, 0.4]), np.tile([0.1, 0.2, 0.8, 0.9], (3, 1)), "four documents")


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        ("prior", 0.35),
        (("top", 2), 0.25),
        (("top", 9), np.nextafter(0.1, 0)),
        (0.7, 0.7),
        ("max_f1", 0.25),
        (("precision", 0.86), 0.35),
        (("precision", 0.6), 0.15000000000000002),
        (("recall", 0.4), 0.35),
        (("recall", 0.99), np.nextafter(0.1, 0)),
    ],
)
def test_cut_in_each_way(threshold: Threshold, expected: float) -> None:
    assert cut(threshold, np.array([0.1, 0.4, 0.2, 0.3]), prior=0.25, posterior=FOUR) == expected


@st.composite
def known(draw: st.DrawFn) -> tuple[np.ndarray, Posterior]:
    scores = draw(st.one_of(TIED, st.lists(st.floats(-9, 9), min_size=1, max_size=30).map(np.array)))
    chances = np.sort(draw(st.lists(st.floats(0, 1), min_size=len(scores), max_size=len(scores))))
    prior = draw(st.floats(0.01, 0.99))
    return scores, through_mean(np.sort(scores), chances, scores, Interval(prior, prior, prior), "a test")


@settings(max_examples=100)
@given(case=known(), share=st.floats(0.01, 0.99))
def test_a_target_is_reached_with_as_few_or_as_many_documents_as_can_be(
    case: tuple[np.ndarray, Posterior], share: float
) -> None:
    """Against the obvious way: look at all cuts."""
    scores, posterior = case
    cuts = [float(np.nextafter(score, -np.inf)) for score in np.unique(scores)]
    every = [posterior.expected(scores, at) for at in cuts]
    f1 = posterior.expected(scores, cut_for("max_f1", scores, posterior)).f1.value
    assert f1 == pytest.approx(max(one.f1.value for one in every))

    recall = posterior.expected(scores, cut_for(("recall", share), scores, posterior))
    assert recall.count == min(one.count for one in every if one.recall.value >= share - 1e-12)

    enough = [one.count for one in every if one.precision.value >= share + 1e-9]
    almost = [one.count for one in every if one.precision.value >= share - 1e-9]
    if enough:
        precision = posterior.expected(scores, cut_for(("precision", share), scores, posterior))
        assert max(enough) <= precision.count <= max(almost)
    elif not almost:
        with pytest.raises(SettingError, match="No cut has an expected precision of"):
            cut_for(("precision", share), scores, posterior)


def test_a_precision_out_of_reach_tells_the_best_that_can_be_asked_for() -> None:
    scores = np.array([3.0, 2.0, 1.0])
    posterior = Posterior(scores[::-1].copy(), np.tile([0.1, 0.2, 0.7996], (3, 1)), "a test")
    with pytest.raises(SettingError) as error:
        cut_for(("precision", 0.9), scores, posterior)
    assert str(error.value).startswith("No cut has an expected precision of 0.9: the best is 0.799, at the top 1 (from")
    assert "a test" in str(error.value)
    assert cut_for(("precision", 0.799), scores, posterior) == 2.5


def test_targets_where_all_scores_are_equal() -> None:
    scores, below = np.full(5, 0.1), float(np.nextafter(0.1, -np.inf))
    posterior = Posterior(scores, np.full((3, 5), 0.3), "a test")
    targets: list[Threshold] = ["max_f1", ("recall", 0.2), ("precision", 0.3)]
    assert [cut(target, scores, 0.3, posterior) for target in targets] == [below] * 3
    with pytest.raises(SettingError, match=r"the best is 0\.300, at the top 5"):
        cut(("precision", 0.5), scores, 0.3, posterior)


@pytest.mark.parametrize("prior", [0.1, 0.999, np.float32(0.25), np.float64(0.5), "heuristic", "estimate", "audit"])
def test_check_prior_accepts(prior: object) -> None:
    checked = check_prior(prior)
    assert checked == prior
    assert type(checked) in (float, str)


@pytest.mark.parametrize("prior", [0, 1, 0.0, 1.0, -0.1, 11, float("nan"), True, None, "half", "0.1", [0.1]])
def test_check_prior_refuses(prior: object) -> None:
    with pytest.raises(SettingError, match=r"between 0 and 1 .*'heuristic' or 'audit'; got") as error:
        check_prior(prior)
    assert repr(prior) in str(error.value)


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        ("prior", "prior"),
        (0, 0.0),
        (-1.5, -1.5),
        (np.float32(0.5), 0.5),
        (("top", 3), ("top", 3)),
        (["top", np.int64(3)], ("top", 3)),
        ("max_f1", "max_f1"),
        (["precision", np.float32(0.5)], ("precision", 0.5)),
        (("recall", 0.95), ("recall", 0.95)),
    ],
)
def test_check_threshold_accepts(threshold: object, expected: Threshold) -> None:
    checked = check_threshold(threshold)
    assert checked == expected
    assert type(checked) is type(expected)


@pytest.mark.parametrize(
    "threshold",
    [
        *("top", "3", None, True, np.nan, np.inf, -np.inf),
        *(("top",), ("top", 0), ("top", -1), ("top", 2.0), ("top", True), ("top", "3"), ("bottom", 3), ("top", 1, 2)),
        *("f1", "precision", ("precision",), ("precision", 0), ("precision", 1), ("recall", 2), ("recall", "0.9")),
        *(("recall", True), ("precision", np.nan), ("f1", 0.5)),
    ],
)
def test_check_threshold_refuses(threshold: object) -> None:
    with pytest.raises(SettingError, match=r"'prior', 'max_f1', .* or \('top', k\) .* above 0; got") as error:
        check_threshold(threshold)
    assert repr(threshold) in str(error.value)
