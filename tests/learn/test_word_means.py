"""What the documents that hold a word tell of it."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift import KeywordClassifier, LearnConfig
from keysift.features.view import Part
from keysift.learn.fitting import say_of_words
from keysift.learn.word_means import BESIDE, LEAST, word_means
from tests.light import KEYWORDS, LIGHT

CONFIG = LearnConfig()


def made(seed: int, documents: int = 30, words: int = 12) -> tuple[sp.csr_array, NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    counts = sp.csr_array(rng.poisson(0.4, size=(documents, words)).astype(np.float64))
    return counts, rng.normal(size=documents)


def slowly(
    counts: sp.csr_array, scores: NDArray[np.float64], config: LearnConfig, *, two_sides: bool
) -> NDArray[np.float64]:
    """The formula at the head of the module, word by word, without its scale."""
    table, told = counts.toarray(), scores - scores.mean()
    told = told if two_sides else np.maximum(told, 0.0)
    told = told - told.mean()
    held = (table > 0).sum(axis=0)
    weight = np.where(held >= LEAST, np.log((len(table) + 1) / (held + 0.5)) ** 2, 0.0)
    sums = np.array([told[table[:, word] > 0].sum() if held[word] >= LEAST else 0.0 for word in range(len(held))])
    mean = sums / (held + BESIDE)
    usual = float(held @ weight) / max(float(held @ (held >= LEAST)), 1e-12)
    added = [row @ (weight * mean) / (row @ weight + config.means_added * usual) for row in table]
    return np.asarray(added) - float(np.mean(added))


@given(st.integers(0, 10_000), st.booleans(), st.sampled_from([1.0, 10.0]))
def test_it_is_the_formula(seed: int, two_sides: bool, added: float) -> None:
    counts, scores = made(seed)
    config = replace(CONFIG, means_added=added)
    part, found = word_means(counts, scores, config, two_sides=two_sides)
    expected = slowly(counts, scores, config, two_sides=two_sides)
    scale = (found @ expected) / (expected @ expected)
    assert scale > 0
    assert found == pytest.approx(scale * expected, abs=1e-9)
    assert found.mean() == pytest.approx(0.0, abs=1e-9)
    assert part.rows(counts) @ part.scores + part.offset == pytest.approx(found, abs=1e-12)


def test_two_documents_are_as_one_that_stands_for_two() -> None:
    counts, scores = made(1)
    counted = (np.arange(len(scores)) % 3 + 1).astype(np.float64)
    places = np.repeat(np.arange(len(scores)), counted.astype(int))
    one, _ = word_means(counts, scores, CONFIG, two_sides=False, counted=counted)
    many, _ = word_means(sp.csr_array(counts[places]), scores[places], CONFIG, two_sides=False)
    assert score(one, counts) == pytest.approx(score(many, counts), abs=1e-9)


def score(part: Part, counts: sp.csr_array) -> NDArray[np.float64]:
    return np.asarray(part.rows(counts) @ part.scores + part.offset)


def test_nothing_is_told_where_all_score_the_same_or_hold_the_same() -> None:
    counts, scores = made(2)
    for told, held in ((np.ones(len(scores)), counts), (scores, sp.csr_array(counts.shape))):
        _, added = word_means(held, told, CONFIG, two_sides=True)
        assert not added.any()


def test_what_lies_below_the_mean_counts_only_where_there_are_two_sides() -> None:
    counts = sp.csr_array(np.array([[1.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]))
    scores = np.array([4.0, 4.0, -1.0, -1.0, -3.0, -3.0])
    part, _ = word_means(counts, scores, CONFIG, two_sides=False)
    assert part.scores[0] > part.scores[1] == part.scores[2]
    part, _ = word_means(counts, scores, CONFIG, two_sides=True)
    assert part.scores[0] > part.scores[1] > part.scores[2]


def test_a_word_that_goes_with_the_topic_tells_of_new_ones(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    """Only some of the documents on sports are named by their team, and none of those holds a keyword."""
    named = [
        f"{text} zorvex" if sports and not any(word in text for word in KEYWORDS) else text
        for text, sports in zip(texts, is_sports, strict=True)
    ]
    new = ["zorvex", "something else"]
    means, none = (
        KeywordClassifier(KEYWORDS, **{**LIGHT, "learning": replace(LIGHT["learning"], means_weight=weight)}).fit(named)
        for weight in (0.5, 0.0)
    )
    gain = [float(np.diff(clf.decision_function(new))[0]) for clf in (means, none)]
    assert gain[0] < gain[1]


def test_words_have_less_say_in_short_documents() -> None:
    lengths = np.array([2, 4, 4, 40])
    assert say_of_words(lengths, replace(CONFIG, few_words=0.0)) == 1.0
    assert say_of_words(lengths, CONFIG) == pytest.approx(4 / 9)
    assert say_of_words(10 * lengths, CONFIG) > say_of_words(lengths, CONFIG)
    assert say_of_words(np.array([2, 4, 40]), CONFIG, np.array([1.0, 9.0, 1.0])) == pytest.approx(4 / 9)
    assert say_of_words(np.zeros(3, dtype=np.int64), replace(CONFIG, few_words=0.0)) == 0.0
