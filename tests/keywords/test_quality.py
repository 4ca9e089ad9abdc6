import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from keysift import KeywordClassifier, Settings
from keysift.errors import KeysiftWarning
from keysift.keywords.quality import (
    AMBIGUOUS,
    FITS,
    TOO_FEW,
    UNCLEAR,
    Belief,
    agreed,
    beliefs,
    places_among,
    suggest_words,
)

pytestmark = pytest.mark.usefixtures("small_glove")


def slow_beliefs(holds: NDArray[np.float64], places: NDArray[np.float64]) -> list[tuple[float | None, int, str]]:
    of_keyword = [
        [place for row, place in enumerate(places) if holds[row, column] and place == place]
        for column in range(holds.shape[1])
    ]
    means = [np.mean(own) if own else None for own in of_keyword]
    rows = []
    for column, own in enumerate(of_keyword):
        others = [means[other] for other in range(len(means)) if other != column and len(of_keyword[other]) >= 5]
        bar = 0.5 + (np.median(np.array(others, dtype=float)) - 0.5) / 2 if others else 0.5
        mean = means[column]
        if mean is None or len(own) < 5:
            verdict = TOO_FEW
        else:
            verdict = AMBIGUOUS if mean + np.sqrt(1 / 12 / len(own)) < bar - 1e-9 else FITS
        rows.append((None if mean is None else float(mean), len(own), verdict))
    return rows


@given(
    arrays(np.float64, (24, 3), elements=st.sampled_from([0.0, 1.0, 2.0])),
    arrays(np.float64, 24, elements=st.sampled_from([np.nan, 0.0, 0.05, 0.31, 0.5, 0.77, 0.97])),
)
def test_beliefs_equal_the_slow_twin(holds: NDArray[np.float64], places: NDArray[np.float64]) -> None:
    for belief, (mean, documents, verdict) in zip(
        beliefs(sp.csr_array(holds), places), slow_beliefs(holds, places), strict=True
    ):
        assert belief.value == (None if mean is None else pytest.approx(mean))
        assert (belief.documents, belief.verdict) == (documents, verdict)


def test_beliefs_without_documents_or_keywords() -> None:
    assert beliefs(sp.csr_array((0, 2)), np.empty(0)) == [Belief(None, 0, TOO_FEW)] * 2
    assert beliefs(sp.csr_array((3, 0)), np.ones(3)) == []
    assert beliefs(sp.csr_array(np.ones((9, 1))), np.full(9, np.nan)) == [Belief(None, 0, TOO_FEW)]


def test_a_keyword_alone_is_compared_with_chance() -> None:
    holds = sp.csr_array(np.ones((100, 1)))
    assert beliefs(holds, np.full(100, 0.48))[0].verdict == FITS  # within a standard error of chance
    assert beliefs(holds, np.full(100, 0.4))[0].verdict == AMBIGUOUS


def test_keywords_that_hardly_believe_in_each_other_are_unclear_together() -> None:
    def verdicts(*means: float) -> list[str]:
        holds = sp.csr_array(np.repeat(np.eye(len(means)), 50, axis=0))
        return [one.verdict for one in agreed(beliefs(holds, np.repeat(means, 50)))]

    assert verdicts(0.58, 0.59, 0.42, 0.57) == [UNCLEAR] * 4
    assert verdicts(0.7, 0.8, 0.42, 0.75) == [FITS, FITS, AMBIGUOUS, FITS]
    assert verdicts(0.9, 0.55) == [FITS, AMBIGUOUS]
    assert verdicts(0.4) == [AMBIGUOUS]  # there are no others to agree
    few = [Belief(0.5, 4, TOO_FEW), Belief(0.5, 9, FITS), Belief(0.55, 9, FITS)]
    assert [one.verdict for one in agreed(few)] == [TOO_FEW, UNCLEAR, UNCLEAR]


def test_four_documents_are_too_few_and_no_yardstick() -> None:
    holds = sp.csr_array(np.repeat(np.eye(2), [4, 50], axis=0))
    few, many = beliefs(holds, np.repeat([1.0, 0.52], [4, 50]))
    assert (few.value, few.documents, few.verdict) == (1.0, 4, TOO_FEW)
    assert many.verdict == FITS


@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_places_equal_the_slow_twin(scores: list[int], others: list[int]) -> None:
    found = places_among(np.array(scores, dtype=float), np.array(others, dtype=float))
    assert found.tolist() == [sum(other < score for other in others) / len(others) for score in scores]


def test_no_place_among_nobody() -> None:
    assert np.isnan(places_among(np.ones(2), np.empty(0))).all()


def slow_ratio(a: int, b: int, inside: int, outside: int) -> float:
    """Twice the log-likelihood of two shares against one."""

    def likelihood(held: int, of: int, share: float) -> float:
        return (held * np.log(share) if held else 0.0) + ((of - held) * np.log(1 - share) if of > held else 0.0)

    pooled = (a + b) / (inside + outside)
    apart = likelihood(a, inside, a / inside) + likelihood(b, outside, b / outside)
    return 2 * (apart - likelihood(a, inside, pooled) - likelihood(b, outside, pooled))


@given(arrays(np.int64, (30, 6), elements=st.integers(0, 2)), st.integers(1, 29))
def test_suggestions_equal_the_slow_twin(table: NDArray[np.int64], inside: int) -> None:
    words, best = ["game", "puck", "the", "7", "é", "ice2"], np.arange(30) < inside
    found = suggest_words(sp.csr_array(table.astype(np.float32)), best, pl.Series(words), {"the"})
    expected = []
    for column, word in enumerate(words):
        a, b = int((table[best, column] > 0).sum()), int((table[~best, column] > 0).sum())
        lift = np.inf if not b else (a / inside) / (b / (30 - inside))
        if word in ("game", "puck", "ice2") and a >= 5 and lift >= 2:
            expected.append((-slow_ratio(a, b, inside, 30 - inside), word, lift, a))
    assert sorted(word.word for word in found) == sorted(word for _, word, _, _ in expected)
    ratios = {word: ratio for ratio, word, _, _ in expected}
    order = [ratios[one.word] for one in found]
    assert order == pytest.approx(sorted(order))
    for one in found:
        lift, documents = next((lift, a) for _, word, lift, a in expected if word == one.word)
        assert one.lift == pytest.approx(lift)
        assert one.documents == documents


def test_at_most_twelve_and_nothing_to_compare_with() -> None:
    table = np.zeros((20, 30))
    table[:6] = 1
    words = pl.Series([f"word{number}" for number in range(30)])
    assert len(suggest_words(sp.csr_array(table), np.arange(20) < 6, words)) == 12
    assert suggest_words(sp.csr_array(table), np.full(20, True), words) == ()
    assert suggest_words(sp.csr_array(table), np.full(20, False), words) == ()


def everyday(texts: list[str]) -> list[str]:
    """The small corpus three times, "indeed" in a third of the documents, whatever they are about."""
    return [
        f"indeed {text}" if (place + number) % 3 == 0 else text
        for number in range(3)
        for place, text in enumerate(texts)
    ]


def test_an_everyday_word_among_the_keywords_is_ambiguous(texts: list[str]) -> None:
    clf = KeywordClassifier("hockey, baseball, striker, indeed").fit(everyday(texts))
    rows = {row.keyword: row for row in clf.keyword_table()}
    assert {word for word, row in rows.items() if row.verdict == AMBIGUOUS} == {"indeed"}
    assert all(rows[word].belief > 0.7 for word in ("hockey", "baseball"))  # type: ignore[operator]
    taken = {"hockey", "baseball", "striker", "indeed"}
    assert not taken & {one.word for one in clf.suggested_keywords_}


def test_words_to_add_are_about_the_keywords(texts: list[str]) -> None:
    clf = KeywordClassifier("hockey, baseball").fit([f"{text} {number}" for number in range(4) for text in texts])
    suggested = {one.word for one in clf.suggested_keywords_}
    assert suggested & {"game", "season", "match", "playoff", "scored", "goalie", "fans"}
    assert not suggested & {"soup", "bread", "tax", "court", "the", "and"}
    assert all(one.lift >= 2 and one.documents >= 5 for one in clf.suggested_keywords_)


def test_expansions_are_judged_by_documents_without_a_keyword(texts: list[str]) -> None:
    documents = [f"{text} {number}" for number in range(3) for text in texts]
    clf = KeywordClassifier("hockey, baseball", settings=Settings(gamma=30)).fit(documents)
    near = {one.word: one for row in clf.keyword_table() for one in row.expansions}
    judged = {word: row for word, row in near.items() if row.belief is not None}
    assert judged
    assert all(0 <= row.belief <= 1 for row in judged.values() if row.belief is not None)
    assert near["hockey"].verdict == near["baseball"].verdict == FITS  # near each other, and keywords themselves
    assert near["team"].documents == 12
    assert near["team"].belief is None  # only beside a keyword
    assert near["game"].belief > 0.9  # type: ignore[operator]
    absent = [row for row in near.values() if not row.documents]
    assert absent
    assert all((row.belief, row.verdict) == (None, TOO_FEW) for row in absent if row.used)


def test_without_a_fit_there_is_no_verdict(texts: list[str]) -> None:
    rows = KeywordClassifier("hockey, baseball").keyword_table(texts)
    assert [(row.belief, row.verdict) for row in rows] == [(None, ""), (None, "")]
    assert [row.cells[6:8] for row in rows] == [("", ""), ("", "")]


def test_too_few_documents_for_a_belief() -> None:
    documents = ["a hockey game", "a tax law", "water and wine", "a baseball season"]
    with pytest.warns(KeysiftWarning, match="'curling' is in no document and has no say"):
        rows = KeywordClassifier("hockey, baseball, curling").fit(documents).keyword_table()
    assert [row.verdict for row in rows] == [TOO_FEW] * 3
    assert rows[2].belief is None
