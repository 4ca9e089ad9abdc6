from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.decide.prior import PriorEstimate, check_prior, estimate_prior, find_prior
from keysift.errors import SettingError
from keysift.learn.quality import Blind, Quality

ALIKE, TOPICS = float("nan"), 0.9
"""How well neighbours find what was left out: a corpus that divides into two, and one of many topics."""


def quality_of(*blind: Blind, neighbours: float = ALIKE, config: LearnConfig = DEFAULT) -> Quality:
    return Quality("keywords", (), neighbours, np.zeros(0), blind, config=config)


def simulated(
    prior: float, rate: float, leak: float, seed: int, *, neighbours: float = ALIKE, documents: int = 2000
) -> tuple[Quality, NDArray[np.float64], int, float]:
    """Blind scores as the model has them: two normal classes, and keywords of three folds at two rates."""
    rng = np.random.default_rng(seed)
    relevant = rng.random(documents) < prior
    scores = rng.normal(size=documents) + 2.5 * relevant
    holds = rng.random((3, documents)) < np.where(relevant, rate, leak)
    lacking = ~holds.any(axis=0)
    blind = [
        Blind(scores[holds[fold] & ~np.delete(holds, fold, axis=0).any(axis=0)], scores[lacking]) for fold in range(3)
    ]
    return quality_of(*blind, neighbours=neighbours), scores, int((~lacking).sum()), float(relevant.mean())


# The estimate leans on what shares are usual (divided_prior, topics_prior): it is promised only for corpora like these.
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    ("prior", "rate", "leak", "neighbours", "error"),
    [
        (0.3, 0.2, 0.01, ALIKE, 0.07),
        (0.5, 0.2, 0.01, ALIKE, 0.05),
        (0.5, 0.3, 0.1, ALIKE, 0.08),
        (0.7, 0.2, 0.01, ALIKE, 0.05),
        (0.05, 0.2, 0.01, TOPICS, 0.03),
        (0.05, 0.3, 0.1, TOPICS, 0.04),
    ],
)
def test_the_truth_of_a_simulation(
    prior: float, rate: float, leak: float, neighbours: float, error: float, seed: int
) -> None:
    quality, scores, holders, truth = simulated(prior, rate, leak, seed, neighbours=neighbours)
    estimate, _ = estimate_prior(quality, scores, holders)
    assert abs(estimate.value - truth) < error
    assert estimate.low <= truth <= estimate.high
    assert estimate.low < estimate.value < estimate.high
    assert estimate.basis == "estimate"


def test_keywords_that_tell_more_make_the_interval_narrower() -> None:
    widths = []
    for rate, leak in ((0.2, 0.01), (0.1, 0.05)):
        quality, scores, holders, _ = simulated(0.5, rate, leak, 0)
        estimate, _ = estimate_prior(quality, scores, holders)
        widths.append(estimate.high - estimate.low)
    assert widths[0] < 0.7 * widths[1]


def test_more_relevant_documents_mean_a_higher_estimate() -> None:
    values = []
    for prior in (0.2, 0.35, 0.5, 0.65, 0.8):
        quality, scores, holders, _ = simulated(prior, 0.2, 0.01, 0, documents=1000)
        values.append(estimate_prior(quality, scores, holders)[0].value)
    assert values == sorted(values)
    assert values[-1] - values[0] > 0.3  # drawn to what is usual, but far apart


def test_the_order_of_folds_and_documents_does_not_matter() -> None:
    quality, scores, holders, _ = simulated(0.4, 0.2, 0.02, 3, documents=500)
    turned = [Blind(blind.left_out[::-1], blind.others[::-1]) for blind in quality.blind[::-1]]
    one, chances = estimate_prior(quality, scores, holders)
    other, same = estimate_prior(quality_of(*turned), scores[::-1], holders)
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), rel=1e-9)
    assert chances.at(scores) == pytest.approx(same.at(scores), rel=1e-9)


def test_the_scale_of_the_scores_does_not_matter() -> None:
    quality, scores, holders, _ = simulated(0.4, 0.2, 0.02, 3, documents=500)
    scaled = [Blind(7 * blind.left_out - 3, 7 * blind.others - 3) for blind in quality.blind]
    one, chances = estimate_prior(quality, scores, holders)
    other, same = estimate_prior(quality_of(*scaled), 1e-3 * scores + 5, holders)
    assert one.value == pytest.approx(other.value, rel=1e-6)
    assert chances.at(scores) == pytest.approx(same.at(1e-3 * scores + 5), rel=1e-4)


SCORES = st.one_of(st.floats(-1e6, 1e6).map(lambda score: round(score, 3)), st.integers(-2, 2).map(float), st.just(0.1))


@settings(max_examples=25)
@given(data=st.data(), neighbours=st.sampled_from([ALIKE, 0.68, TOPICS]), folds=st.integers(1, 2))
def test_whatever_the_scores_the_estimate_is_a_share_in_its_interval(
    data: st.DataObject, neighbours: float, folds: int
) -> None:
    def drawn(least: int) -> NDArray[np.float64]:
        return np.array(data.draw(st.lists(SCORES, min_size=least, max_size=15)))

    blind = [Blind(drawn(5), drawn(1)) for _ in range(folds)]
    scores = drawn(3)
    holders = data.draw(st.integers(1, len(scores) - 1))
    estimate, posterior = estimate_prior(quality_of(*blind, neighbours=neighbours), scores, holders)
    assert 0 < estimate.low <= estimate.value <= estimate.high < 1
    assert np.isfinite(posterior.chances).all()
    assert (np.diff(posterior.chances, axis=1) >= 0).all()
    means = [posterior.at(scores, row).mean() for row in range(3)]
    assert means == pytest.approx([estimate.low, estimate.value, estimate.high], rel=1e-6)


@pytest.mark.parametrize("scores", [np.zeros(3), np.full(100, 0.1), np.array([0.0, 0.0, 1.0]), np.arange(100.0)])
@pytest.mark.parametrize("asked", ["estimate", "heuristic", 0.2, 0.0005])
def test_without_blind_scores_it_is_the_share_of_documents_with_a_keyword(
    scores: NDArray[np.float64], asked: float | str
) -> None:
    for quality in (None, quality_of()):
        estimate, posterior = find_prior(asked, estimate_prior(quality, scores, 1), scores, 1)
        if isinstance(asked, float):
            assert (estimate.low, estimate.value, estimate.high) == (asked, asked, asked)
            assert estimate.basis == "given"
        else:
            assert estimate.value == 1 / len(scores)
            assert estimate.basis == "heuristic"
            assert estimate.low < estimate.value
            assert estimate.high >= 0.9
        assert posterior.at(scores).mean() == pytest.approx(estimate.value, rel=1e-6)
        assert "keyword alone" in posterior.basis
    if asked == "estimate":
        assert "nothing to estimate it from" in estimate.assumes


@pytest.mark.parametrize("asked", ["estimate", "heuristic", 0.3])
def test_the_prior_as_it_was_asked_for(asked: float | str) -> None:
    quality, scores, holders, _ = simulated(0.5, 0.2, 0.01, 0, documents=500)
    estimate, before = estimate_prior(quality, scores, holders)
    found, posterior = find_prior(asked, (estimate, before), scores, holders)
    assert posterior.basis == "scores blind to the keywords"
    means = [posterior.at(scores, row).mean() for row in range(3)]
    assert means == pytest.approx([found.low, found.value, found.high], rel=1e-6)
    if asked == "estimate":
        assert found == estimate
    elif asked == "heuristic":
        assert found.value == holders / len(scores) != estimate.value
        assert found.low == min(found.value, estimate.low)
        assert found.high == max(found.value, estimate.high)
        assert found.basis == "heuristic"
    else:
        assert found == PriorEstimate(0.3, 0.3, 0.3, "given", "as given")


def test_more_left_out_than_pseudo_positive() -> None:
    """With a low phi only some of the documents with a keyword are pseudo-positive."""
    quality, scores, holders, _ = simulated(0.5, 0.2, 0.01, 0, documents=500)
    few, _ = estimate_prior(quality, scores, 2)
    many, _ = estimate_prior(quality, scores, holders)
    assert few.low < few.value < few.high
    assert few.value == pytest.approx(many.value, abs=0.15)


def test_in_words() -> None:
    assert str(PriorEstimate(0.25, 0.25, 0.25, "given", "as given")) == "0.25, as given"
    told = str(PriorEstimate(0.2512, 0.1, 0.4444, "estimate", "estimated from 3 rankings"))
    assert told == "0.251 (between 0.1 and 0.44, estimated from 3 rankings)"


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


def estimated(neighbours: float = ALIKE, **numbers: Any) -> PriorEstimate:
    """Of one and the same simulation, with other numbers."""
    quality, scores, holders, _ = simulated(0.3, 0.2, 0.03, 0, documents=800)
    config = LearnConfig(**numbers)
    return estimate_prior(quality_of(*quality.blind, neighbours=neighbours, config=config), scores, holders)[0]


def widths(name: str, values: tuple[Any, ...], neighbours: float = ALIKE, **numbers: Any) -> list[float]:
    found = [estimated(neighbours, **numbers, **{name: value}) for value in values]
    return [estimate.high - estimate.low for estimate in found]


@pytest.mark.parametrize("neighbours", [ALIKE, TOPICS])
def test_the_less_the_doubt_in_the_evidence_the_narrower_the_interval(neighbours: float) -> None:
    narrow, usual, wide = widths("evidence_doubt", (1.0, 8.0, 64.0), neighbours, mixture_share=0.0)
    assert narrow < 0.7 * usual < 0.7 * wide


def test_the_higher_the_level_the_wider_the_interval() -> None:
    found = widths("level", (0.5, 0.8, 0.9, 0.99), mixture_share=0.0)
    assert found == sorted(found)
    assert found[0] < 0.6 * found[-1]


def test_what_shares_are_usual_draws_the_estimate() -> None:
    divided = [estimated(divided_prior=before).value for before in ((2.0, 8.0), (4.0, 4.0), (8.0, 2.0))]
    assert divided == sorted(divided)
    topics = [estimated(TOPICS, topics_prior=before).value for before in ((0.7, 30.0), (0.7, 3.0), (8.0, 2.0))]
    assert topics == sorted(topics)
    assert topics[0] < topics[-1] - 0.05
    # Each belongs to one kind of corpus and has no say in the other.
    assert estimated(TOPICS, divided_prior=(1.0, 9.0)) == estimated(TOPICS)
    assert estimated(topics_prior=(9.0, 9.0), open_prior=(9.0, 1.0)) == estimated()


def test_the_open_prior_widens_the_interval_only() -> None:
    narrow, wide = (estimated(TOPICS, open_prior=before) for before in ((0.7, 30.0), (3.0, 1.0)))
    assert narrow.value == wide.value
    assert narrow.low == wide.low
    assert narrow.high < wide.high


def test_keywords_that_are_taken_to_tell_leave_less_room_for_leaks() -> None:
    values = [estimated(informative=informative, mixture_share=0.0).value for informative in (0.0, 3.0, 30.0)]
    assert values == sorted(values)  # what holds a keyword is then rather relevant
    assert values[-1] - values[0] > 0.01


def test_the_mixture_counts_by_its_share() -> None:
    curve, half, mixture = (estimated(mixture_share=share).value for share in (0.0, 0.5, 1.0))
    assert half == pytest.approx((curve + mixture) / 2)
    assert curve != mixture
    assert len({estimated(TOPICS, mixture_share=share) for share in (0.0, 0.5, 1.0)}) == 1
