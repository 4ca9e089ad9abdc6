import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.text.inflections import Inflections
from keysift.text.prefixes import as_prefix, beginning_with, count_beginnings, is_prefix, pattern_of
from keysift.text.tokens import as_documents, tokenize

WORDS = st.text("abé", min_size=1, max_size=3)
DOCUMENTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=5)


def by_hand(text: str, term: tuple[str, ...]) -> int:
    """How often a phrase is there, word by word."""
    words = re.findall(r"\w+", text)
    windows = (words[start : start + len(term)] for start in range(len(words) - len(term) + 1))

    def is_there(own: str, word: str) -> bool:
        return word.startswith(own[:-1]) if own.endswith("*") else word == own

    return sum(all(map(is_there, term, window)) for window in windows)


@given(DOCUMENTS, st.lists(st.tuples(st.lists(WORDS, max_size=2), WORDS), min_size=1, max_size=4))
def test_beginnings_are_counted_as_by_hand(texts: list[str], phrases: list[tuple[list[str], str]]) -> None:
    terms = [(*before, f"{last}*") for before, last in phrases]
    found = count_beginnings(tokenize(as_documents(texts)), terms, None)
    assert found.toarray().tolist() == [[by_hand(text, term) for term in terms] for text in texts]


@given(st.lists(WORDS, unique=True), st.lists(WORDS, max_size=4))
def test_places_of_words_by_their_beginning(words: list[str], beginnings: list[str]) -> None:
    found = beginning_with(pl.Series("word", words, dtype=pl.String), [f"{start}*" for start in beginnings])
    slow = [[place for place, word in enumerate(words) if word.startswith(start)] for start in beginnings]
    assert [places.tolist() for places in found] == slow


def test_other_words_of_a_phrase_are_inflected() -> None:
    tokens = tokenize(as_documents(["the cards of the winner", "card winners", "a card won"]))
    inflections = Inflections(tokens.words, "en")
    found = count_beginnings(tokens, [("card", "win*"), ("win*",)], inflections)
    assert found.toarray().tolist() == [[0, 1], [1, 1], [0, 0]]


def test_nothing_to_count() -> None:
    assert count_beginnings(tokenize(as_documents(["a", ""])), [], None).shape == (2, 0)
    assert count_beginnings(tokenize(as_documents([""])), [("a*",), ("b", "a*")], None).toarray().tolist() == [[0, 0]]


def test_a_phrase_does_not_span_documents() -> None:
    tokens = tokenize(as_documents(["lost", "car lost", "card"]))
    assert not count_beginnings(tokens, [("lost", "car*")], None).nnz


@pytest.mark.parametrize("word", ["*", "a", "a**", ".*", ""])
def test_what_is_no_beginning(word: str) -> None:
    assert not is_prefix(word)
    assert re.fullmatch(pattern_of(word), word)


def test_scripts_without_spaces_have_no_beginnings() -> None:
    assert as_prefix(("酒", "酒店", "店")) == ("酒", "酒店", "店")
    assert as_prefix(("iphone", "手")) == ("iphone", "手")
    assert as_prefix(("술",)) == ("술*",)  # Korean puts spaces between words
    assert as_prefix(()) == ()


def test_counts_are_floats_in_order() -> None:
    found = count_beginnings(tokenize(as_documents(["win wins lost car", "x"])), [("lost", "ca*"), ("win*",)], None)
    assert found.dtype == np.float32
    assert found.toarray().tolist() == [[1, 2], [0, 0]]
