"""Words by their beginning: `win*` in a term stands for every word that begins with it."""

import re
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.text.counts import Term, count_words
from keysift.text.inflections import Inflections
from keysift.text.scripts import SPACELESS
from keysift.text.tokens import Tokens

STAR = "*"
"""Ends a word that stands for all that begin so; no word of a text ends in it."""
BEGINNING = re.compile(r"\w\*\Z")
LAST = "\U0010ffff"
"""No character comes after it."""


def is_prefix(word: str) -> bool:
    """Whether a word of a term stands for all that begin so.

    >>> is_prefix("win*"), is_prefix("win"), is_prefix("*"), is_prefix("..*")
    (True, False, False, False)
    """
    return BEGINNING.search(word) is not None


def as_prefix(term: Term) -> Term:
    """The term with its last word as a beginning; where words have no borders, it finds every continuation anyway.

    >>> as_prefix(("lost", "car")), as_prefix(("酒",))
    (('lost', 'car*'), ('酒',))
    """
    return term if not term or SPACELESS.search(term[-1]) else (*term[:-1], term[-1] + STAR)


def pattern_of(word: str) -> str:
    r"""A regular expression for a word of a term, without its borders.

    >>> pattern_of("c.1"), pattern_of("win*")
    ('c\\.1', 'win\\w*')
    """
    return re.escape(word[:-1]) + r"\w*" if is_prefix(word) else re.escape(word)


def beginning_with(words: pl.Series, beginnings: Sequence[str]) -> list[NDArray[np.int64]]:
    """For each beginning, with its star, the places of the words that begin so.

    >>> [found.tolist() for found in beginning_with(pl.Series(["wins", "loss", "win", "win4"]), ["win*", "lost*"])]
    [[0, 2, 3], []]
    """
    order = words.arg_sort().to_numpy().astype(np.int64)
    ordered = words.gather(order).to_list()
    edges = [
        (bisect_left(ordered, beginning[:-1]), bisect_left(ordered, beginning[:-1] + LAST)) for beginning in beginnings
    ]
    return [np.sort(order[start:stop]) for start, stop in edges]


def count_beginnings(tokens: Tokens, terms: Sequence[Term], inflections: Inflections | None) -> sp.csr_array:
    """Count words and phrases of which some words are beginnings; the others count with their inflections.

    >>> from keysift.text.tokens import tokenize
    >>> tokens = tokenize(pl.Series(["lost cards", "a lost car park", "winner wins", "lost"]))
    >>> count_beginnings(tokens, [("lost", "car*"), ("win*",)], None).toarray().tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]
    """
    words = list(dict.fromkeys(word for term in terms for word in term))
    beginnings = [word for word in words if is_prefix(word)]
    found = dict(zip(beginnings, beginning_with(tokens.words, beginnings), strict=True))
    single = [(column, found[term[0]]) for column, term in enumerate(terms) if len(term) == 1]
    sizes = [len(places) for _, places in single]
    rows = np.concatenate([np.empty(0, np.int64), *(places for _, places in single)])
    columns = np.repeat(np.array([column for column, _ in single], dtype=np.int64), sizes)
    chosen = sp.csr_array(
        (np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=(len(tokens.words), len(terms))
    )
    counts = sp.csr_array(count_words(tokens) @ chosen)
    phrases = [(column, term) for column, term in enumerate(terms) if len(term) > 1]
    places = [
        _phrase_places(tokens, [_members(tokens, word, found, inflections) for word in term]) for _, term in phrases
    ]
    owners = np.searchsorted(tokens.starts, np.concatenate([np.empty(0, np.int64), *places]), side="right") - 1
    at = np.repeat(np.array([column for column, _ in phrases], dtype=np.int64), [len(each) for each in places])
    ones = np.ones(len(owners), dtype=np.float32)
    return sp.csr_array(counts + sp.coo_array((ones, (owners, at)), shape=counts.shape))


def _members(
    tokens: Tokens, word: str, found: dict[str, NDArray[np.int64]], inflections: Inflections | None
) -> NDArray[np.bool_]:
    """Which words of the documents a word of a term stands for."""
    if word in found:
        there = np.zeros(len(tokens.words), dtype=bool)
        there[found[word]] = True
        return there
    return (tokens.words == word).to_numpy() if inflections is None else inflections.of([word])


def _phrase_places(tokens: Tokens, members: Sequence[NDArray[np.bool_]]) -> NDArray[np.int64]:
    """Where in the flat token array a phrase starts that ends in the same document."""
    places = np.flatnonzero(members[0][tokens.codes])
    owners = np.searchsorted(tokens.starts, places, side="right") - 1
    places = places[places + len(members) <= tokens.starts[owners + 1]]
    for step, there in enumerate(members[1:], start=1):
        places = places[there[tokens.codes[places + step]]]
    return places
