"""Tokens to sparse counts of words and phrases, with no Python loop over words."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.text.tokens import Tokenizer, Tokens, tokenize
from keysift.text.vocabulary import locate

Term = tuple[str, ...]
"""One word, or the words of a phrase."""
SPAN = 250_000
"""Tokens counted at a time: what is needed on the way stays in the processor's cache."""


def count_words(tokens: Tokens) -> sp.csr_array:
    """Count each word of `tokens.words` in each document.

    >>> count_words(tokenize(pl.Series(["a b a", "b"]))).toarray().tolist()
    [[2.0, 1.0], [0.0, 1.0]]
    """
    if not len(tokens):
        return count_pairs(tokens.starts[:0], tokens.codes, (0, len(tokens.words)))
    edges = np.searchsorted(tokens.starts, np.arange(SPAN, int(tokens.starts[-1]), SPAN))
    blocks = []
    for first, last in itertools.pairwise(np.unique([0, *edges, len(tokens)]).tolist()):
        starts = tokens.starts[first : last + 1]
        rows = np.repeat(np.arange(last - first, dtype=np.int32), np.diff(starts))
        blocks.append(count_pairs(rows, tokens.codes[starts[0] : starts[-1]], (last - first, len(tokens.words))))
    return sp.csr_array(sp.vstack(blocks, format="csr"))


def count_pairs(rows: NDArray[np.integer[Any]], columns: NDArray[np.int32], shape: tuple[int, int]) -> sp.csr_array:
    """How often each pair of row and column is there; sorting whole numbers is the fastest way to find out.

    >>> count_pairs(np.array([1, 0, 1]), np.array([2, 0, 2], dtype=np.int32), (2, 3)).toarray().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 2.0]]
    """
    bits = max(1, (shape[1] - 1).bit_length())
    whole: Any = np.uint32 if (shape[0] + 1) << bits <= 2**32 else np.uint64
    pairs = rows.astype(whole)
    pairs <<= whole(bits)
    pairs |= columns.astype(whole)
    pairs.sort()
    another = np.ones(len(pairs), dtype=bool)
    np.not_equal(pairs[1:], pairs[:-1], out=another[1:])
    first = np.flatnonzero(another)
    pairs = pairs.take(first)
    times = np.diff(first, append=len(another)).astype(np.float32)
    starts = np.searchsorted(pairs, np.arange(shape[0] + 1, dtype=whole) << whole(bits))
    width = np.int32 if len(first) < 2**31 else np.int64
    return sp.csr_array((times, (pairs & whole(2**bits - 1)).astype(width), starts.astype(width)), shape=shape)


def recolumn(counts: sp.csr_array, columns: NDArray[np.int64], size: int) -> sp.csr_array:
    """The same counts with each column moved to its place among `size` others; those of place -1 are left out.

    >>> counts = sp.csr_array(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 4.0]]))
    >>> recolumn(counts, np.array([1, -1, 0]), 2).toarray().tolist()
    [[3.0, 1.0], [4.0, 0.0]]
    """
    places, starts = columns.astype(np.int32).take(counts.indices), counts.indptr
    data, kept = counts.data, places >= 0
    if not kept.all():
        before = np.concatenate([[0], np.cumsum(kept)]).astype(starts.dtype)
        held = np.flatnonzero(kept)
        data, places, starts = data.take(held), places.take(held), before.take(starts)
    moved = sp.csr_array((data, places, starts), shape=(counts.shape[0], size))
    if not moved.has_sorted_indices:
        moved.data = moved.data.copy()  # which may be those of `counts`
        moved.sort_indices()
    return moved


def count_terms(tokens: Tokens, terms: Sequence[Term]) -> sp.csr_array:
    """Count words and phrases: a phrase is there when its words stand side by side in one document.

    >>> tokens = tokenize(pl.Series(["machine learning", "learning machine", "deep machine learning"]))
    >>> count_terms(tokens, [("machine", "learning"), ("deep",)]).toarray().tolist()
    [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]
    """
    flat = locate(pl.Series("word", [word for term in terms for word in term], dtype=pl.String), tokens.words)
    ends = np.cumsum([len(term) for term in terms], dtype=np.int64)
    coded = [flat[end - len(term) : end] for term, end in zip(terms, ends, strict=True)]
    term_of_word = np.full(len(tokens.words) + 1, -1)  # the last place is for words that no document has
    for column, codes in enumerate(coded):
        if len(codes) == 1:
            term_of_word[codes[0]] = column
    term_of_word[-1] = -1
    places = [np.flatnonzero((term_of_word >= 0)[tokens.codes])]
    columns = [term_of_word[tokens.codes[places[0]]]]
    for column, codes in enumerate(coded):
        if len(codes) > 1:
            places.append(_phrase_places(tokens, codes))
            columns.append(np.full(len(places[-1]), column))
    owners = np.searchsorted(tokens.starts, np.concatenate(places), side="right") - 1
    ones = np.ones(len(owners), dtype=np.float32)
    return sp.csr_array(sp.coo_array((ones, (owners, np.concatenate(columns))), shape=(len(tokens), len(terms))))


def _phrase_places(tokens: Tokens, phrase: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where in the flat token array a phrase starts and ends in the same document."""
    if (phrase < 0).any():
        return np.empty(0, np.int64)
    places = np.flatnonzero(tokens.codes == phrase[0])
    for step, code in enumerate(phrase[1:], start=1):
        places = places[places + step < len(tokens.codes)]
        places = places[tokens.codes[places + step] == code]
    owners = np.searchsorted(tokens.starts, places, side="right") - 1
    return places[places + len(phrase) <= tokens.starts[owners + 1]]


def split_terms(texts: Sequence[str], tokenizer: Tokenizer | None = None) -> list[Term]:
    """Split keywords the way documents are split, so that they can be found in them.

    >>> split_terms(["Machine-Learning", "R"])
    [('machine', 'learning'), ('r',)]
    """
    tokens = tokenize(pl.Series("text", list(texts), dtype=pl.String), tokenizer)
    flat = tokens.words.gather(tokens.codes).to_list()
    return [tuple(flat[start:stop]) for start, stop in itertools.pairwise(tokens.starts)]
