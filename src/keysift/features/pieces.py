"""How words are spelled: the n-grams of three and four characters of each one; its ends count as one each."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.rows import idf
from keysift.text.counts import count_pairs
from keysift.text.dictionary import Cut, Dictionary
from keysift.text.known_words import KnownWords

SIZES = (3, 4)
"""Characters of an n-gram."""
LONGEST = 40
"""Characters of a word that are looked at."""
LEAST = 3
"""Documents that hold it, counted word by word."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """The n-grams that count, and how much each tells.

    >>> pieces = Pieces(pl.Series(["abc", "bc "]), np.array([3.0, 1.0]))
    >>> pieces.spell(pl.Series(["abc", "xbc"])).toarray().tolist()
    [[3.0, 1.0], [0.0, 1.0]]
    """

    grams: pl.Series
    idf: NDArray[np.float64]

    @classmethod
    def of(cls, words: pl.Series, held: NDArray[np.float64], total: float) -> "Pieces":
        """Those of words of which each is `held` by so many of all the documents.

        An n-gram is in as many documents as its words are, one by one, and in no more than there are. That is too many
        where a document holds several of them, and costs nothing to know.

        >>> Pieces.of(pl.Series(["abc", "abd"]), np.array([2.0, 1.0]), 3.0).grams.to_list()
        [' ab']
        """
        spelled, grams = spell(words)
        inside = sp.csr_array((np.ones(spelled.nnz), spelled.indices, spelled.indptr), shape=spelled.shape)
        documents = np.asarray(inside.T @ held)
        kept = np.flatnonzero(documents >= LEAST)
        return cls(grams.gather(kept), idf(np.minimum(documents[kept], total), total))

    @cached_property
    def numbered(self) -> KnownWords:
        """The n-grams, to be looked up."""
        return KnownWords.of(self.grams)

    def spell(self, words: pl.Series) -> sp.csr_array:
        """The features of each word: count times idf of its n-grams."""
        spelled, _ = spell(words, self.numbered)
        values = spelled.data * self.idf[spelled.indices]
        return sp.csr_array((values, spelled.indices, spelled.indptr), shape=spelled.shape)


def spell(words: pl.Series, known: KnownWords | None = None) -> tuple[sp.csr_array, pl.Series]:
    """How often each word holds each n-gram, and the n-grams: all there are, in order, or those that are `known`.

    >>> spelled, grams = spell(pl.Series(["abc"]))
    >>> grams.to_list()
    [' ab', ' abc', 'abc', 'abc ', 'bc ']
    >>> spell(pl.Series(["abcab"]), KnownWords.of(pl.Series(["abc", "ab "])))[0].toarray().tolist()
    [[1.0, 1.0]]
    """
    text = " " + words.str.slice(0, LONGEST) + " "
    written = text.str.join("").item().encode() if len(text) else b""
    # Where each character begins, and where all of them end; in UTF-8 no byte inside a character begins another one.
    begins = np.flatnonzero(np.frombuffer(written + b" ", dtype=np.uint8) & 0b11000000 != 0b10000000)
    sizes = text.str.len_chars().to_numpy().astype(np.int64)
    owners = np.repeat(np.arange(len(words), dtype=np.int32), sizes)
    left = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(owners))  # characters to the end of the word
    whole = [np.flatnonzero(left >= size) for size in SIZES]
    starts = np.concatenate([begins[places] for places in whole])
    ends = np.concatenate([begins[places + size] for places, size in zip(whole, SIZES, strict=True)])
    cut = Cut(written, starts, ends - starts)
    owners = np.concatenate([owners[at] for at in whole])
    if known is not None:
        places = known.table.look_up(cut)
        held = places >= 0
        return count_pairs(owners[held], places[held], (len(words), len(known.words))), known.words
    dictionary = Dictionary()
    places, grams = dictionary.number(cut), dictionary.words
    order = grams.arg_sort().to_numpy()
    ranks = np.argsort(order).astype(np.int32)
    return count_pairs(owners, ranks[places], (len(words), len(grams))), grams.gather(order)
