from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.keywords.expansion import Expansion, Keyword
from keysift.keywords.match import Matches
from keysift.learn.strength import strength
from keysift.settings import Settings
from keysift.text.counts import count_words
from keysift.text.tokens import tokenize

WORDS = ["hockey", "puck", "rink", "tax", "law", "rain"]
DOCUMENTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=2, max_size=10)
KEYWORDS = st.dictionaries(st.sampled_from(WORDS[:3]), st.sampled_from([0.5, 1.0, 3.0]), min_size=1)
FILLING = ["tax law rain"] * 6


def matched(documents: list[str], keywords: Mapping[str, float]) -> Matches:
    tokens = tokenize(pl.Series("text", documents))
    found = [Keyword(word, (word,), weight, True, ()) for word, weight in keywords.items()]
    return Matches.find(found, tokens, count_words(tokens), Settings())


def slow_strength(documents: list[str], keywords: Mapping[str, float]) -> NDArray[np.float64]:
    read = [text.split() for text in documents]
    median = float(np.median([len(words) for words in read]))
    raw = np.zeros(len(read))
    for keyword, weight in keywords.items():
        holders = sum(keyword in words for words in read)
        for place, words in enumerate(read):
            if keyword in words:
                tells = max(np.log((len(read) + 1) / (holders + 0.5)) / np.sqrt(holders), 1e-9)
                raw[place] += weight * tells / (len(words) + median + 1)
    return raw / raw[raw > 0].mean() if raw.any() else raw


@given(documents=DOCUMENTS, keywords=KEYWORDS)
def test_equals_the_slow_twin(documents: list[str], keywords: dict[str, float]) -> None:
    found = strength(matched(documents, keywords))
    assert found == pytest.approx(slow_strength(documents, keywords))
    holds = [bool(set(text.split()) & set(keywords)) for text in documents]
    assert (found > 0).tolist() == holds
    if any(holds):
        assert found[found > 0].mean() == pytest.approx(1.0)


def test_a_keyword_among_the_first_words_counts_double() -> None:
    config = LearnConfig(opening=3)
    found = strength(
        matched(["hockey a b c d", "a b hockey c d", "a b c d hockey", *FILLING], {"hockey": 1.0}), config=config
    )
    assert found[0] == found[1] == pytest.approx(2 * found[2])


@given(documents=DOCUMENTS, keywords=KEYWORDS, data=st.data())
def test_keywords_that_are_left_out_are_as_if_they_had_not_been_given(
    documents: list[str], keywords: dict[str, float], data: st.DataObject
) -> None:
    left_out = data.draw(st.sets(st.sampled_from(range(len(keywords)))))
    stays = {word: weight for place, (word, weight) in enumerate(keywords.items()) if place not in left_out}
    found = strength(matched(documents, keywords), sorted(left_out))
    assert found == pytest.approx(slow_strength(documents, stays))


@pytest.mark.parametrize(
    ("stronger", "weaker", "keywords"),
    [
        ("hockey puck law", "hockey tax law", {"hockey": 1.0, "puck": 1.0}),  # two different keywords
        ("hockey tax", "hockey tax law rain rain", {"hockey": 1.0}),  # a short document
        ("rink tax", "hockey tax", {"hockey": 1.0, "rink": 1.0}),  # a rare keyword
        ("hockey tax", "puck tax", {"hockey": 2.0, "puck": 1.0}),  # a keyword that counts more
    ],
)
def test_what_makes_a_document_stronger(stronger: str, weaker: str, keywords: dict[str, float]) -> None:
    more = ["hockey law rain"] if "rink" in keywords else []
    found = strength(matched([stronger, weaker, *more, *FILLING], keywords))
    assert found[0] > found[1] > 0


def test_a_keyword_twice_counts_once() -> None:
    found = strength(matched(["hockey hockey", "hockey tax", *FILLING], {"hockey": 1.0}))
    assert found[0] == found[1]


def test_where_no_document_has_a_keyword_all_are_zero() -> None:
    assert strength(matched(FILLING, {"hockey": 1.0})).tolist() == [0.0] * len(FILLING)


def test_a_word_near_a_keyword_counts_less_and_is_hidden_with_it() -> None:
    tokens = tokenize(pl.Series(["hockey tax", "puck tax", *FILLING]))
    near = Keyword("hockey", ("hockey",), 1.0, True, (Expansion("puck", ("puck",), 0.9),))
    other = Keyword("rink", ("rink",), 1.0, True, ())
    matches = Matches.find([near, other], tokens, count_words(tokens), Settings(gamma=1))
    found = strength(matches)
    assert found[0] > found[1] > 0
    assert not strength(matches, left_out=[0]).any()
