"""What a fit says of the keywords: which fit the others, and which words might be added."""

import numpy as np
import pytest

from keysift import KeywordClassifier, Settings
from keysift.config import LearnConfig
from keysift.errors import KeysiftWarning
from keysift.keywords.beliefs import AMBIGUOUS, FITS, ONLY, TOO_FEW, UNCLEAR, Belief
from keysift.learn.quality import Quality
from keysift.learn.verdicts import keyword_beliefs, suggestions
from keysift.pipeline import match, prepare
from keysift.text.counts import Term

pytestmark = pytest.mark.usefixtures("small_glove")


def everyday(texts: list[str]) -> list[str]:
    """The small corpus three times, "indeed" in a third of the documents, whatever they are about."""
    return [
        f"indeed {text}" if (place + number) % 3 == 0 else text
        for number in range(3)
        for place, text in enumerate(texts)
    ]


def test_an_everyday_word_among_the_keywords_is_ambiguous(texts: list[str]) -> None:
    clf = KeywordClassifier("hockey, baseball, striker, indeed", encoder=None).fit(everyday(texts))
    rows = {row.keyword: row for row in clf.keyword_table()}
    assert {word for word, row in rows.items() if row.verdict == AMBIGUOUS} == {"indeed"}
    assert all(rows[word].belief > 0.7 for word in ("hockey", "baseball"))  # type: ignore[operator]
    taken = {"hockey", "baseball", "striker", "indeed"}
    assert not taken & {one.word for one in clf.suggested_keywords_}


def test_words_to_add_are_about_the_keywords(texts: list[str]) -> None:
    clf = KeywordClassifier("hockey, baseball", encoder=None).fit(
        [f"{text} {number}" for number in range(4) for text in texts]
    )
    suggested = {one.word for one in clf.suggested_keywords_}
    assert suggested & {"game", "season", "match", "playoff", "scored", "goalie", "fans"}
    assert not suggested & {"soup", "bread", "tax", "court", "the", "and"}
    assert all(one.lift >= 2 and one.documents >= 5 for one in clf.suggested_keywords_)


def test_expansions_are_judged_by_documents_without_a_keyword(texts: list[str]) -> None:
    documents = [f"{text} {number}" for number in range(3) for text in texts]
    clf = KeywordClassifier("hockey, baseball", encoder=None, settings=Settings(gamma=30)).fit(documents)
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
    rows = KeywordClassifier("hockey, baseball", encoder=None).keyword_table(texts)
    assert [(row.belief, row.verdict) for row in rows] == [(None, ""), (None, "")]


def test_too_few_documents_for_a_belief() -> None:
    documents = ["a hockey game", "a tax law", "water and wine", "a baseball season"]
    with pytest.warns(KeysiftWarning, match="'curling' is in no document and is ignored"):
        rows = KeywordClassifier("hockey, baseball, curling", encoder=None).fit(documents).keyword_table()
    assert [row.verdict for row in rows] == [TOO_FEW] * 3
    assert rows[2].belief is None


def documents_of(kinds: dict[str, int]) -> list[str]:
    return [text for text, number in kinds.items() for _ in range(number)]


def test_beliefs_are_the_mean_places_of_the_holders() -> None:
    prepared = prepare(
        documents_of({"a goal": 6, "goal and law": 6, "some law": 6, "rain": 10}), views="words", encoder=None
    )
    matches = match(prepared, ["goal", "law"])
    places = np.repeat([0.9, 0.8, 0.7], 6)
    found = keyword_beliefs(matches, Quality(0.8, 0.8, 0.6, places))
    assert found == {("goal",): Belief(0.85, 12, FITS), ("law",): Belief(0.75, 12, FITS)}
    apart = keyword_beliefs(matches, Quality(0.8, 0.8, 0.6, places - 0.3))
    assert [belief.verdict for belief in apart.values()] == [UNCLEAR, UNCLEAR]
    alone = match(prepared, ["goal"])
    unknown = keyword_beliefs(alone, Quality(np.nan, np.nan, np.nan, np.full(12, np.nan)))
    assert [belief.verdict for belief in unknown.values()] == [ONLY]


def test_where_a_keyword_is_ambiguous_words_come_from_the_documents_of_the_others() -> None:
    texts = documents_of({"goal keeper": 8, "law court": 8, "rain wind": 20})
    prepared = prepare(texts, views="words", encoder=None, learning=LearnConfig(fewest_best=8))
    matches = match(prepared, ["goal", "law"])
    scores = np.repeat([0.0, 2.0, 1.0], [8, 8, 20])  # the ranking follows the ambiguous one
    known: dict[Term, Belief] = {("goal",): Belief(0.9, 8, FITS), ("law",): Belief(0.3, 8, FITS)}
    assert [one.word for one in suggestions(prepared, matches, scores, 8, known)] == ["court"]
    known[("law",)] = Belief(0.3, 8, AMBIGUOUS)
    assert [one.word for one in suggestions(prepared, matches, scores, 8, known)] == ["keeper"]


def test_words_come_from_the_documents_that_were_decided_positive() -> None:
    texts = documents_of({"goal keeper": 10, "goal puck": 10, "rain wind": 40})
    prepared = prepare(texts, views="words", encoder=None, learning=LearnConfig(fewest_best=1))
    matches = match(prepared, ["goal"])
    scores = -np.arange(60.0)
    for decided, words in ((10, ["keeper"]), (20, ["keeper", "puck"])):
        found = suggestions(prepared, matches, scores, decided, {})
        assert [one.word for one in found] == words
    at_most_half = suggestions(prepared, matches, scores, 60, {})
    assert [one.documents for one in at_most_half] == [10, 10]
