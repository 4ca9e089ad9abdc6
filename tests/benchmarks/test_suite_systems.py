from dataclasses import fields, replace

import numpy as np
import pytest

from benchmarks.suite.ours import OURS, VARIANTS
from benchmarks.suite.systems import SYSTEMS
from benchmarks.suite.tasks import SuiteTask
from benchmarks.suite.yardstick import counting, mean_difference, with_keyword, yardstick
from keysift import LearnConfig


@pytest.fixture
def cards() -> SuiteTask:
    """Every other document is about a card; a fifth of all say so."""
    texts = tuple(
        f"my {'visa card' if i % 10 == 0 else 'visa'} was stolen {i}" if i % 2 == 0 else f"top up in euro {i}"
        for i in range(60)
    )
    relevant = np.array([i % 2 == 0 for i in range(60)])
    return SuiteTask("cards", "suite", "bank", texts, relevant, ("card", "lost"), "en", "intent")


def test_counting_knows_whole_words_and_where_there_are_none_substrings(cards: SuiteTask) -> None:
    english = replace(cards, texts=("a Card, a card", "cards", "lost card"))
    assert counting(english).tolist() == [2, 0, 2]
    chinese = replace(cards, texts=("这个酒店很差", "酒店酒店"), keywords=("酒店", "差"), language="zh")
    assert counting(chinese).tolist() == [2, 2]


def test_mean_differences_find_what_holds_no_keyword(cards: SuiteTask) -> None:
    without = counting(cards) == 0
    for scores in (with_keyword(cards), yardstick(cards, sentences=False)[0]):
        assert scores[cards.relevant & without].min() > scores[~cards.relevant].max()


def test_keywords_that_occur_nowhere_rank_nothing(cards: SuiteTask) -> None:
    nowhere = replace(cards, keywords=("blockchain",))
    assert not with_keyword(nowhere).any()
    assert not yardstick(nowhere, sentences=False)[0].any()


def test_weights_are_squared_where_keywords_are_common(cards: SuiteTask) -> None:
    rare = yardstick(replace(cards, keywords=("card", "visa card", "visa ca")), sentences=False)[1]
    common = yardstick(replace(cards, keywords=("stolen", "visa")), sentences=False)[1]
    assert set(rare) == {0.0, 1.0}
    assert set(common) == {0.0, 4.0}


def test_a_mean_difference_does_not_depend_on_scale() -> None:
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(30, 4)), rng.random(30)
    assert np.allclose(mean_difference(7 * X, 3 * weights), mean_difference(X, weights))


def test_labels_find_the_class(cards: SuiteTask) -> None:
    facts = SYSTEMS["labels"](cards).facts
    assert facts == {"auc": 100.0, "ap": 100.0}


def test_variants_change_numbers_that_there_are() -> None:
    known = {field.name for field in fields(LearnConfig)}
    assert set(VARIANTS) <= set(OURS) <= set(SYSTEMS)
    for changes in VARIANTS.values():
        assert set(changes) <= known
        assert replace(LearnConfig(), **changes) != LearnConfig()
