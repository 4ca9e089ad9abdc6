"""Keywords behind a negation."""

from collections.abc import Set

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift import KeywordClassifier
from keysift.errors import KeywordError
from keysift.keywords.denied import AFFIRMED, NEGATIONS, asserted
from keysift.keywords.expansion import Keyword
from keysift.keywords.match import Matches
from keysift.learn.strength import strength
from keysift.settings import Settings
from keysift.text.counts import count_words
from keysift.text.tokens import tokenize

DOCUMENTS = st.lists(
    st.lists(st.sampled_from(["great", "film", "not", "no", "only", "don", "t", "5"]), max_size=9).map(" ".join),
    min_size=1,
    max_size=6,
)


def slowly(text: str, reach: int, own: Set[str] = frozenset()) -> list[bool]:
    """Which words of a text are denied, word by word."""
    words = text.split()
    negates = [
        word in NEGATIONS["en"] - own or (word == "t" and place > 0 and words[place - 1] == "don")
        for place, word in enumerate(words)
    ]
    negates = [one and words[place + 1 : place + 2] != [AFFIRMED] for place, one in enumerate(negates)]
    numbered = ["".join(words[place + 1 : place + 2]).isdigit() for place in range(len(words))]
    negates = [one and not (words[place] == "no" and numbered[place]) for place, one in enumerate(negates)]
    return [any(negates[max(0, place - reach) : place]) and not negates[place] for place in range(len(words))]


@given(DOCUMENTS, st.integers(0, 4), st.sampled_from([frozenset[str](), frozenset({"no"})]))
def test_it_is_as_word_by_word(documents: list[str], reach: int, own: frozenset[str]) -> None:
    tokens = tokenize(pl.Series("text", documents))
    found = asserted(tokens, "en", reach, own)
    denied = [one for text in documents for one in slowly(text, reach, own)]
    stays = ~np.array(denied, dtype=bool)
    assert found.starts.tolist() == tokens.starts.tolist()
    assert found.codes[stays].tolist() == tokens.codes[stays].tolist()
    assert set(found.words.gather(found.codes[~stays])) <= NEGATIONS["en"] | {"t"}


@pytest.mark.parametrize("language", ["de", "zh"])
def test_a_language_without_a_list_denies_nothing(language: str) -> None:
    tokens = tokenize(pl.Series("text", ["not great"]))
    assert asserted(tokens, language, 3) is tokens


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("not a great film", 0),
        ("It isn’t great", 0),
        ("not great at first, but then a really great end", 1),
        ("not only great", 1),
        ("a great film, not a long one", 1),
        ("T cells, great", 1),
        ("no. great!", 0),
        ("no 5 great", 1),
    ],
)
def test_what_counts(text: str, counts: int) -> None:
    found = matches_of([text, "something else"], ["great"])
    assert found.asserted(3).sum() == counts
    assert found.found.matches.sum() == text.count("great")
    assert (strength(found)[0] > 0) == bool(counts)


@pytest.mark.parametrize("keyword", ["without notice", "doesn t work", "can t breathe", "no fee"])
def test_a_keyword_that_negates_itself_is_found(keyword: str) -> None:
    first, *_, last = keyword.split()
    found = matches_of([f"it {keyword}", f"{first} any {last}"], [keyword])
    assert found.asserted(3).toarray().ravel().tolist() == [1.0, 0.0]
    assert strength(found).tolist() == [1.0, 0.0]


def test_where_every_keyword_is_denied_the_error_says_so() -> None:
    documents = ["this is not great", "that is not so great", "and this is what it was", "there they had it"]
    with pytest.raises(KeywordError, match=r"wherever one is found, it is denied .* Use other keywords"):
        KeywordClassifier(["great"], encoder=None).fit(documents)


def test_what_a_keyword_alone_asserts_is_what_it_finds() -> None:
    found = matches_of(["love it", "loved it", "not love it", "she loved"], ["love", "loved"])
    alone = found.only([0])
    assert ((alone.asserted(3) > 0).toarray() <= (alone.found.matches > 0).toarray()).all()


def test_where_nothing_is_denied_nothing_is_counted_again() -> None:
    found = matches_of(["a great film", "no"], ["great"])
    assert found.asserted(0) is found.found.matches
    assert found.asserted(3).toarray().tolist() == found.found.matches.toarray().tolist()


def matches_of(documents: list[str], keywords: list[str]) -> Matches:
    tokens = tokenize(pl.Series("text", documents))
    terms = [Keyword(keyword, tuple(keyword.split()), 1.0, True, ()) for keyword in keywords]
    return Matches.find(terms, tokens, count_words(tokens), Settings(language="en"))
