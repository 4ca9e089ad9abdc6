"""The expansion of Algorithm 1: each keyword alpha times, then its gamma nearest words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import KeywordError
from keysift.keywords.syntax import Item, read_item, shown
from keysift.text.counts import Term, split_terms
from keysift.text.prefixes import as_prefix
from keysift.text.tokens import Tokenizer
from keysift.vectors.words import WordVectors

SPARE = 50
"""Candidates looked at beyond gamma, to replace those that are never added."""


@dataclass(frozen=True)
class Expansion:
    """A word near a keyword."""

    word: str
    term: Term
    similarity: float


@dataclass(frozen=True)
class Keyword:
    """A keyword, its tokens, and the words near it."""

    text: str
    """As one types it, with the hyphen of an excluded keyword and the star of a beginning."""
    term: Term
    weight: float
    in_vectors: bool
    expansions: tuple[Expansion, ...]


def expand(
    keywords: Mapping[str, float],
    vectors: WordVectors | None,
    *,
    gamma: int = 5,
    never_add: Collection[str] = (),
    tokenizer: Tokenizer | None = None,
) -> tuple[Keyword, ...]:
    """Find the gamma nearest words of each keyword over the whole vocabulary of the vectors.

    The vector of a phrase is the mean of its words' vectors. Neither the words of the keyword itself nor those in
    `never_add`, nor excluded keywords, become its expansions. Without vectors nothing is expanded.

    >>> from keysift.vectors.glove import load_glove
    >>> (hockey,) = expand({"hockey": 1.0}, load_glove(), gamma=3)
    >>> [near.word for near in hockey.expansions]
    ['basketball', 'football', 'soccer']
    """
    items = {read_item(text): weight for text, weight in keywords.items()}
    wanted = {item: weight for item, weight in items.items() if not item.excluded}
    texts, terms, weights = _merged(wanted, tokenizer)
    if vectors is None:
        return tuple(Keyword(*one, False, ()) for one in zip(texts, terms, weights, strict=True))
    rows = vector_rows(texts, terms, vectors)
    known = [bool((of_term >= 0).all()) for of_term in rows]
    excluded = set(split_terms([*never_add, *(item.words for item in items if item.excluded)], tokenizer))
    candidates = iter(_nearest([of_term for of_term, ok in zip(rows, known, strict=True) if ok], vectors, gamma))
    near = []
    for term, ok in zip(terms, known, strict=True):
        words = next(candidates) if ok else []
        split = split_terms([word for word, _ in words], tokenizer)
        # Compared as tokens: "NHL" is no expansion of "nhl", nor of anything where "nhl" is never added.
        own = {term, *excluded}
        kept = [Expansion(word, of, cosine) for (word, cosine), of in zip(words, split, strict=True) if of not in own]
        near.append(tuple(kept[:gamma]))
    return tuple(
        Keyword(text, term, weight, in_vectors, expansions)
        for text, term, weight, in_vectors, expansions in zip(texts, terms, weights, known, near, strict=True)
    )


def vector_rows(texts: Sequence[str], terms: Sequence[Term], vectors: WordVectors) -> list[NDArray[np.int64]]:
    """The rows whose mean is the vector of each keyword; -1 for a word that has none.

    A keyword that the vectors know as a whole has one row, any other has one for each word: "u.s." and "c++" are words
    to some vectors, though no tokenizer would leave them whole.
    """
    whole = vectors.rows(pl.Series("word", [text.lower() for text in texts], dtype=pl.String))
    flat = vectors.rows(pl.Series("word", [word for term in terms for word in term], dtype=pl.String))
    parts = np.split(flat, np.cumsum([len(term) for term in terms])[:-1])
    return [np.array([row]) if row >= 0 else of_term for row, of_term in zip(whole, parts, strict=True)]


def excluded_keywords(keywords: Mapping[str, float], tokenizer: Tokenizer | None = None) -> tuple[Keyword, ...]:
    """The keywords that are excluded, with their tokens; they have neither weight nor expansions.

    >>> [keyword.term for keyword in excluded_keywords({"hockey": 1.0, "-Ice": 1.0, "-lost car*": 1.0})]
    [('ice',), ('lost', 'car*')]
    """
    items = {item: 1.0 for item in map(read_item, keywords) if item.excluded}
    return tuple(Keyword(*one, False, ()) for one in zip(*_merged(items, tokenizer), strict=True)) if items else ()


def _merged(keywords: Mapping[Item, float], tokenizer: Tokenizer | None) -> tuple[list[str], list[Term], list[float]]:
    """Texts, terms and weights; keywords with the same tokens ("Hockey", "hockey") become one."""
    merged: dict[Term, tuple[str, float]] = {}
    terms = split_terms([item.words for item in keywords], tokenizer)
    for (item, weight), term in zip(keywords.items(), terms, strict=True):
        if not term:
            raise KeywordError(
                f"The keyword {shown(item.text)} has no letter or digit, so nothing can match it; leave it out."
            )
        term = as_prefix(term) if item.prefix else term
        first, total = merged.get(term, (item.text, 0.0))
        merged[term] = (first, total + weight)
    return [text for text, _ in merged.values()], list(merged), [weight for _, weight in merged.values()]


def _nearest(rows: Sequence[NDArray[np.int64]], vectors: WordVectors, gamma: int) -> list[list[tuple[str, float]]]:
    """Words and cosines: a few more than gamma, because some may have to be left out."""
    if not rows or gamma == 0:
        return [[] for _ in rows]
    directions = np.stack([vectors.matrix[of_term].mean(axis=0) for of_term in rows])
    found, cosines = vectors.nearest(directions, gamma + SPARE, [of_term.tolist() for of_term in rows])
    return [
        [
            (str(word), float(cosine))
            for word, cosine in zip(vectors.words.gather(of_query[of_query >= 0]), of_cosine, strict=False)
        ]
        for of_query, of_cosine in zip(found, cosines, strict=True)
    ]


def brought_by(keywords: Sequence[Keyword]) -> dict[Term, str]:
    """For each expansion that is not itself a keyword, a keyword that brought it in.

    >>> near = Expansion("puck", ("puck",), 0.8)
    >>> brought_by([Keyword("hockey", ("hockey",), 1.0, True, (near,))])
    {('puck',): 'hockey'}
    """
    own = {keyword.term for keyword in keywords}
    return {near.term: keyword.text for keyword in keywords for near in keyword.expansions if near.term not in own}


def keyword_document(keywords: Sequence[Keyword], alpha: float = 3) -> dict[Term, float]:
    """The one document that merges all keywords: how often each term is in it (Algorithm 1), keywords first.

    >>> near = Expansion("puck", ("puck",), 0.8)
    >>> keyword_document([Keyword("hockey", ("hockey",), 1.0, True, (near,))], alpha=3)
    {('hockey',): 3.0, ('puck',): 1.0}
    """
    document: dict[Term, float] = {}
    for keyword in keywords:
        document[keyword.term] = document.get(keyword.term, 0.0) + alpha * keyword.weight
    for keyword in keywords:
        for near in keyword.expansions:
            if near.term:  # a vector for punctuation alone can match no token
                document[near.term] = document.get(near.term, 0.0) + keyword.weight
    return document
