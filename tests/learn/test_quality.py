from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.config import DEFAULT, LearnConfig
from keysift.keywords.match import Matches
from keysift.learn.quality import Quality, deal, measure_quality
from keysift.learn.view_fit import FitPlan
from keysift.pipeline import match, prepare
from keysift.vectors.words import WordVectors
from tests.learn.numbers import PLAN

FEW = np.empty(0)
KEYWORDS = ["goal", "puck", "rink"]
VECTORS = WordVectors("none", pl.Series("word", KEYWORDS), np.eye(3, dtype=np.float32))


@cache
def corpus(kind: str, number: int = 200) -> tuple[str, ...]:
    """Documents of a topic, or of one of two sides, with keywords; or keywords that say nothing of the rest."""
    rng, texts = np.random.default_rng(0), []
    for place in range(number):
        about = place % (2 if kind == "sides" else 5) == 0
        own = "s" if about and kind != "noise" else f"t{place % 5}" if kind == "topic" else "o"
        words = [f"{own}{word}" for word in rng.choice(12, size=5)]
        texts.append(" ".join([*words, *([str(rng.choice(KEYWORDS))] if about and rng.random() < 0.8 else [])]))
    return tuple(texts)


def measured(texts: Sequence[str], keywords: Any = KEYWORDS, **changes: Any) -> tuple[Quality, Matches]:
    config = LearnConfig(**changes)
    prepared = prepare(list(texts), vectors=VECTORS, views="words", encoder=None, learning=config)
    matches = match(prepared, keywords)
    plan = FitPlan(PLAN.loss, config)
    return measure_quality(prepared.fitted_views(), matches, {"words": 1.0}, plan), matches


@pytest.mark.parametrize("kind", ["topic", "sides"])
def test_documents_of_left_out_keywords_are_found(kind: str) -> None:
    quality, matches = measured(corpus(kind))
    assert quality.known
    assert 0.7 < quality.value <= 1.0
    assert not quality.within_chance
    assert quality.belief.shape == matches.holders.shape
    assert ((quality.belief >= 0) & (quality.belief <= 1)).all()
    assert quality.belief.mean() == pytest.approx(quality.value, abs=0.05)  # an AUC is the mean share that is beaten


def test_noise_is_within_chance() -> None:
    quality, _ = measured(corpus("noise", 400))
    assert quality.value == pytest.approx(0.5, abs=0.1)
    assert quality.within_chance


def test_a_keyword_of_something_else_is_not_found() -> None:
    texts = [f"{text} indeed" if place % 5 == 1 and place % 2 else text for place, text in enumerate(corpus("topic"))]
    quality, matches = measured(texts, [*KEYWORDS, "indeed"])
    place = [keyword.text for keyword in matches.keywords].index("indeed")
    held = matches.occurrences[:, [place]].toarray().ravel() > 0
    assert np.nanmean(quality.belief[held]) < 0.5 < np.nanmean(quality.belief[~held])


@pytest.mark.parametrize(
    ("keywords", "changes"),
    [
        (["goal"], {}),  # nothing is left when the only keyword is left out
        (KEYWORDS, {"fewest_left_out": 40}),
    ],
)
def test_where_nothing_can_be_left_out_nothing_is_known(keywords: list[str], changes: dict[str, Any]) -> None:
    quality, _ = measured(corpus("topic"), keywords, **changes)
    assert np.isnan([quality.value, quality.self_trained, quality.by_chance]).all()
    assert np.isnan(quality.belief).all()
    assert not quality.known
    assert not quality.within_chance
    assert not quality.two_sides


def test_where_every_document_has_a_keyword_nothing_is_known() -> None:
    texts = [f"goal {text}" if place % 2 else f"puck {text}" for place, text in enumerate(corpus("noise"))]
    assert not measured(texts)[0].known


def test_more_deviations_leave_more_to_chance() -> None:
    narrow, wide = (measured(corpus("topic"), chance_deviations=times)[0] for times in (1.0, 2.0))
    assert wide.by_chance - 0.5 == pytest.approx(2 * (narrow.by_chance - 0.5))
    assert narrow.value == wide.value


def test_a_document_with_another_keyword_is_not_looked_for() -> None:
    """It would be found by that one; so it has no belief."""
    texts = ["goal puck a b", *corpus("topic")]
    quality, _ = measured(texts, ["goal", "puck"])
    assert np.isnan(quality.belief[0])
    assert not np.isnan(quality.belief[1:]).any()


@pytest.mark.parametrize(
    ("value", "trained", "opposite", "sides"),
    [
        (0.8, 0.79, 0.0, True),
        (0.8, 0.9, 0.0, True),
        (0.8, 0.77, 0.0, False),
        (0.8, 0.7, DEFAULT.opposite_from, True),
        (0.8, 0.7, DEFAULT.opposite_from - 0.01, False),
        (float("nan"), float("nan"), 0.0, False),
        (float("nan"), float("nan"), 0.5, True),
    ],
)
def test_when_documents_have_two_sides(value: float, trained: float, opposite: float, sides: bool) -> None:
    quality = Quality(value, trained, 0.6, FEW, opposite)
    assert quality.two_sides == sides
    assert not replace(quality, opposite=0.0, config=LearnConfig(allowed_loss=0.0)).two_sides or trained >= value


def test_a_rare_topic_is_no_side_of_the_documents() -> None:
    quality = Quality(0.57, 0.56, 0.55, FEW, held=DEFAULT.least_held)
    assert quality.two_sides
    assert not replace(quality, held=0.9 * DEFAULT.least_held).two_sides
    assert replace(quality, held=0.0, opposite=DEFAULT.opposite_from).two_sides


def test_the_share_that_holds_a_keyword_is_measured() -> None:
    quality, _ = measured(corpus("sides"))
    assert 0 < quality.held < 1


def test_self_training_is_measured_too() -> None:
    quality, _ = measured(corpus("sides"))
    assert quality.two_sides
    assert not measured(corpus("topic"), share=0.6, added_weight=3.0)[0].two_sides


@given(documents=st.lists(st.integers(0, 50), min_size=1, max_size=12), folds=st.integers(2, 5))
def test_keywords_are_dealt_to_folds(documents: list[int], folds: int) -> None:
    dealt = deal(np.array(documents), folds)
    useful = [place for place, number in enumerate(documents) if number]
    assert sorted(place for fold in dealt for place in fold) == useful
    assert len(dealt) == min(folds, len(useful))
    assert all(dealt)
    sizes = [len(fold) for fold in dealt]
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    if dealt:
        assert documents[dealt[0][0]] == max(documents)


def test_what_a_file_keeps() -> None:
    quality = Quality(0.8, 0.75, 0.6, np.ones(3), 0.3, LearnConfig(folds=2), behind=0.02, held=0.1)
    again = Quality.restore(quality.plain(), quality.config)
    kept = {"value": 0.8, "self_trained": 0.75, "by_chance": 0.6, "opposite": 0.3, "behind": 0.02, "held": 0.1}
    assert again.plain() == quality.plain() == kept
    assert again.config == quality.config
    assert not len(again.belief)
