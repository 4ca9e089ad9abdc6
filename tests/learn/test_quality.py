from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.learn.folds import Fold
from keysift.learn.neighbours import Neighbours
from keysift.learn.quality import Quality, Trial, blend_weights, measure_quality
from keysift.learn.split import Split
from keysift.learn.strategies import ALONE, NEAR, Strategy
from tests.learn.numbers import PLAN, two_views

STRATEGIES = (Strategy(0.0), Strategy(0.1), Strategy(0.5))
BENEFITS = [one.benefit(0.0) for one in STRATEGIES]
QUALITIES = st.lists(st.floats(0.3, 1.0), min_size=3, max_size=3)


@given(qualities=QUALITIES)
def test_weights_are_shares_of_one(qualities: list[float]) -> None:
    weights = blend_weights(BENEFITS, qualities)
    assert weights.sum() == pytest.approx(1.0)
    assert (weights >= 0).all()


@given(qualities=QUALITIES, better=st.integers(0, 2), by=st.floats(0.01, 0.3))
def test_what_is_found_better_counts_no_less(qualities: list[float], better: int, by: float) -> None:
    raised = [quality + by * (place == better) for place, quality in enumerate(qualities)]
    assert blend_weights(BENEFITS, raised)[better] >= blend_weights(BENEFITS, qualities)[better] - 1e-12


@given(qualities=QUALITIES, order=st.permutations([0, 1, 2]))
def test_the_order_of_the_strategies_does_not_matter(qualities: list[float], order: list[int]) -> None:
    turned = blend_weights([BENEFITS[place] for place in order], [qualities[place] for place in order])
    assert turned == pytest.approx(blend_weights(BENEFITS, qualities)[order])


def test_at_equal_quality_believing_more_counts_more() -> None:
    weights = blend_weights(BENEFITS, [0.8, 0.8, 0.8])
    assert weights.tolist() == sorted(weights)
    assert blend_weights(BENEFITS, [0.9, 0.9, 0.6])[2] < 0.01
    assert blend_weights([0.3], [0.5]).tolist() == [1.0]


@cache
def usual(distance: float) -> Quality:
    return measured(distance)


def measured(distance: float, left_out: int = 30, config: LearnConfig = PLAN.config, **options: Any) -> Quality:
    """Two views that see relevant documents so far from the others; half of those with a keyword are left out."""
    rng = np.random.default_rng(0)
    relevant = np.arange(300) < 100
    views = two_views(relevant, distance, rng)
    keyword = np.arange(60)
    folds = []
    for part in (np.arange(left_out), np.arange(30, 30 + left_out)):
        positive, weights = np.arange(300) < 60, np.ones(300)
        positive[part], weights[part] = False, 0.0
        folds.append(Fold(Split(positive, weights), part))
    arguments: dict[str, Any] = {
        "strategies": STRATEGIES,
        "neighbours": None,
        "holders": keyword,
        "plan": replace(PLAN, config=config),
        "rng": np.random.default_rng(0),
        "progress": lambda done: None,
        **options,
    }
    masked = {name: np.asarray(view.X)[keyword] for name, view in views.items()}
    return measure_quality(views, masked, np.arange(100, 300), folds, "keywords", **arguments)


def test_what_can_be_learned_has_a_high_quality() -> None:
    quality = usual(3.0)
    assert quality.basis == "keywords"
    assert quality.value > 0.95
    assert [trial.strategy for trial in quality.trials] == list(STRATEGIES)
    assert sum(trial.weight for trial in quality.trials) == pytest.approx(1.0)
    assert min(trial.quality for trial in quality.trials) <= quality.value <= max(t.quality for t in quality.trials)


def test_noise_has_the_quality_of_chance() -> None:
    assert usual(0.0).value == pytest.approx(0.5, abs=0.1)


def test_where_nothing_is_found_beyond_chance_the_benefit_of_the_doubt_decides() -> None:
    noise = measured(0.0, config=replace(PLAN.config, telling_chance=0.7))
    assert max(trial.quality for trial in noise.trials) < noise.by_chance < 0.65
    assert noise.ignored
    assert [trial.weight for trial in noise.trials] == pytest.approx(np.array(BENEFITS) / sum(BENEFITS))
    assert noise.within_chance
    assert not usual(3.0).within_chance
    assert not measured(3.0, left_out=DEFAULT.fewest_left_out - 1).within_chance  # nothing was measured


@given(qualities=QUALITIES, by_chance=st.floats(0.5, 1.0))
def test_a_quality_within_chance_has_no_say(qualities: list[float], by_chance: float) -> None:
    weights = blend_weights(BENEFITS, qualities, by_chance)
    if max(qualities) < by_chance - 1e-3 and by_chance <= DEFAULT.telling_chance:
        assert weights == pytest.approx(np.array(BENEFITS) / sum(BENEFITS))
    elif max(qualities) > by_chance or by_chance > DEFAULT.telling_chance:
        assert weights == pytest.approx(blend_weights(BENEFITS, qualities))


def test_of_few_documents_even_a_poor_measure_has_its_say() -> None:
    noise = usual(0.0)
    assert noise.by_chance > DEFAULT.telling_chance
    assert noise.within_chance
    assert not noise.ignored
    expected = blend_weights(BENEFITS, [trial.quality for trial in noise.trials])
    assert [trial.weight for trial in noise.trials] == pytest.approx(expected)


def test_belief_is_a_share_of_the_others() -> None:
    sure, blind = usual(3.0), usual(0.0)
    assert sure.belief.shape == (60,)
    assert ((sure.belief >= 0) & (sure.belief <= 1)).all()
    assert sure.belief.mean() == pytest.approx(sure.value, abs=0.02)  # an AUC is the mean share that is beaten
    assert sure.belief.mean() > 0.9 > blind.belief.mean()


def test_documents_in_no_fold_have_no_belief() -> None:
    belief = measured(3.0, left_out=20).belief
    left_out = np.isin(np.arange(60) % 30, np.arange(20))
    assert (np.isnan(belief) == ~left_out).all()


@pytest.mark.parametrize("strategies", [STRATEGIES, (Strategy(0.4),)])
def test_folds_that_are_too_small_say_nothing(strategies: tuple[Strategy, ...]) -> None:
    quality = measured(3.0, left_out=DEFAULT.fewest_left_out - 1, strategies=strategies)
    assert quality.basis == "nothing"
    assert np.isnan(quality.value)
    assert np.isnan(quality.belief).all()
    assert [trial.weight for trial in quality.trials] == [1.0, *[0.0] * (len(strategies) - 1)]


def test_only_the_strategy_that_was_asked_for() -> None:
    (trial,) = measured(3.0, strategies=(Strategy(0.2),)).trials
    assert (trial.strategy, trial.weight) == (Strategy(0.2), 1.0)
    assert trial.quality > 0.9


def test_a_sample_of_the_others_is_enough() -> None:
    whole, few = usual(3.0), replace(PLAN.config, most_others=100)
    first, second = measured(3.0, config=few), measured(3.0, config=few)
    assert first.trials == second.trials != whole.trials
    assert [len(blind.others) for blind in first.blind] == [100, 100]
    assert first.value == pytest.approx(whole.value, abs=0.05)


def test_progress_goes_up_to_one() -> None:
    seen: list[float] = []
    measured(1.0, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_the_value_is_the_mean_of_the_strategies_as_they_count() -> None:
    belief: NDArray[np.float64] = np.empty(0)
    quality = Quality("keywords", (Trial(ALONE, 0.8, 0.25), Trial(Strategy(0.5), 0.6, 0.75)), float("nan"), belief)
    assert quality.value == pytest.approx(0.65)


def pairs(rng: np.random.Generator, *, blind: bool) -> Neighbours:
    """Each document has a few neighbours: of its own kind, or anybody."""
    kind = np.where(np.arange(300) < 100, 0, 1)
    rows = np.repeat(np.arange(300), 5)
    same = np.where(kind[rows] == 0, rng.integers(0, 100, len(rows)), rng.integers(100, 300, len(rows)))
    columns = rng.integers(0, 300, len(rows)) if blind else same
    return Neighbours(sp.csr_array((np.full(len(rows), 0.2), (rows, columns)), shape=(300, 300)))


def test_neighbours_that_tell_are_trusted() -> None:
    quality = measured(3.0, strategies=(*STRATEGIES, NEAR), neighbours=pairs(np.random.default_rng(0), blind=False))
    assert quality.neighbours > 0.9
    assert [trial.strategy for trial in quality.trials] == [
        Strategy(0.0),
        Strategy(0.1),
        NEAR,
    ]  # a half has no benefit there
    assert {trial.strategy: trial.weight for trial in quality.trials}[NEAR] > 0.5


def test_neighbours_that_tell_nothing_are_left_out() -> None:
    quality = measured(3.0, strategies=(*STRATEGIES, NEAR), neighbours=pairs(np.random.default_rng(0), blind=True))
    assert quality.neighbours < 0.6
    assert [trial.strategy for trial in quality.trials] == list(STRATEGIES)
    assert quality.trials == usual(3.0).trials


def test_without_a_look_at_neighbours_nothing_is_known_of_them() -> None:
    assert np.isnan(usual(3.0).neighbours)
