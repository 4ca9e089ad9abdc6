"""N-grams of three and four letters, found in many words at once.

Two letters in a row are a place in a table, which says what number they have as the beginning of an n-gram, if any;
that number and one more letter are a place in the next table. Nothing has to be hashed, compared or sorted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

SIZES = (3, 4)
"""Characters of an n-gram; the ends of a word count as one each."""
LONGEST = 40
"""Characters of a word that are looked at."""
MOST_LETTERS = 2_000
"""Different letters of an alphabet, whose square is the size of the first table."""
MOST_PLACES = 1 << 25
"""The size of the others; where n-grams are written in very many signs, there is no table of them."""

Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class GramTable:
    """Numbers of n-grams.

    >>> table = GramTable.of(pl.Series(["abc", " ab", "abca"]))
    >>> table.spell(pl.Series(["abcabc", "né"])).toarray().tolist()
    [[2.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """

    size: int
    """How many n-grams there are."""
    letters: Numbers
    """The number of each code point, from 1 on; those above, and those that no n-gram has, have the last number."""
    pairs: Numbers
    """The number of two letters that begin an n-gram, from 1 on; zero for others."""
    threes: Numbers
    """The same of a pair and one more letter."""
    places: Numbers
    """One more than the n-gram that these are with one more letter, or alone (as if with letter 0); zero for others."""

    @classmethod
    def of(cls, grams: pl.Series) -> "GramTable | None":
        """The table of these n-grams; None where it would be too large."""
        sizes = grams.str.len_chars().to_numpy()
        three, four = (np.flatnonzero(sizes == size) for size in SIZES)
        short, long = (_code_points(grams.gather(at)) for at in (three, four))
        letters = _letters(np.unique(np.concatenate([short, long])))
        rows = np.zeros((4, len(three) + len(four)), dtype=np.int32)
        rows[:3, : len(three)] = letters[short].reshape(-1, 3).T
        rows[:, len(three) :] = letters[long].reshape(-1, 4).T
        found = _beginnings(rows, np.arange(rows.shape[1]), letters)
        if found is None:
            return None
        pairs, threes, places, begun = found
        places[begun + rows[3]] = np.concatenate([three, four]) + 1
        return cls(len(grams), letters, pairs, threes, places)

    @classmethod
    def over(cls, words: pl.Series) -> "tuple[GramTable, pl.Series] | None":
        """All n-grams of some words, in order, and their table; None where it would be too large.

        >>> table, grams = GramTable.over(pl.Series(["abc"]))
        >>> grams.to_list()
        [' ab', ' abc', 'abc', 'abc ', 'bc ']
        """
        points, ends = _padded(words)
        known = np.unique(points)
        if not known.all():  # a character of number 0 would be lost below
            return None
        letters = _letters(known)
        rows = _rows(letters, points)
        inside = np.ones(len(points), dtype=bool)
        inside[ends - 1] = inside[ends - 2] = False
        three = np.flatnonzero(inside)
        inside[ends - 3] = False
        four = np.flatnonzero(inside)
        tables = _beginnings(rows, three, letters)
        if tables is None:
            return None
        pairs, threes, places, begun = tables
        places[begun.take(three)] = 1
        begun += rows[3]
        places[begun.take(four)] = 1
        found = np.flatnonzero(places)
        places[found] = np.arange(1, len(found) + 1)
        # Letters are numbered in order, and so are beginnings, so that places are in the order of the n-grams.
        base, written = int(letters[-1]) + 1, np.empty((len(found), 4), dtype=np.int64)
        number, written[:, 3] = np.divmod(found, base)
        for column, table in ((2, threes), (1, pairs)):
            number, written[:, column] = np.divmod(np.flatnonzero(table)[number - 1], base)
        written[:, 0] = number
        text = np.concatenate([[0], known]).astype("<u4")[written].view("<U4").ravel()
        return cls(len(found), letters, pairs, threes, places), pl.Series("word", text.tolist(), dtype=pl.String)

    def spell(self, words: pl.Series) -> sp.csr_array:
        """How often each word holds each n-gram; one that is there twice has two entries of one."""
        points, ends = _padded(words)
        base, rows = self.letters[-1] + np.int32(1), _rows(self.letters, points)
        begun = self.threes.take(self.pairs.take(rows[0] * base + rows[1]) * base + rows[2]) * base
        found = np.empty((len(points), 2), dtype=np.int32)
        found[:, 0], found[:, 1] = self.places.take(begun), self.places.take(begun + rows[3])
        # What goes beyond the end of its word is no n-gram of it.
        found[ends - 1], found[ends - 2], found[ends - 3, 1] = 0, 0, 0
        held = np.flatnonzero(found.ravel())
        starts = np.concatenate([[0], np.searchsorted(held, 2 * ends)]).astype(np.int32)
        ones = np.ones(len(held), dtype=np.float32)
        return sp.csr_array((ones, found.ravel().take(held) - 1, starts), shape=(len(words), self.size))


def _padded(words: pl.Series) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The characters of all words with a space at both ends, and where each word ends."""
    text = " " + words.str.slice(0, LONGEST) + " "
    return _code_points(text), np.cumsum(text.str.len_chars().to_numpy().astype(np.int64))


def _code_points(words: pl.Series) -> NDArray[np.uint32]:
    """Every character of all words, as its number in Unicode."""
    return np.frombuffer(words.str.join("").item().encode("utf-32-le") if len(words) else b"", dtype="<u4")


def _letters(known: NDArray[np.uint32]) -> Numbers:
    """The numbers of code points: those of the known ones, which are in order, from 1 on, one for all others."""
    letters = np.full(int(known.max(initial=0)) + 2, len(known) + 1, dtype=np.int32)
    letters[known] = np.arange(1, len(known) + 1)
    return letters


def _rows(letters: Numbers, points: NDArray[np.uint32]) -> list[Numbers]:
    """The letter at each place, the one after it, and so on up to the fourth."""
    padded = np.zeros(len(points) + 3, dtype=np.int32)
    padded[: len(points)] = letters.take(points, mode="clip")
    return [padded[after : after + len(points)] for after in range(4)]


def _beginnings(
    rows: Sequence[Numbers] | Numbers, whole: NDArray[np.int64], letters: Numbers
) -> tuple[Numbers, Numbers, Numbers, Numbers] | None:
    """The tables of pairs and threes, one for n-grams that is still empty, and where in it each place begins.

    `rows` are the first, second, ... letters; only the places that are `whole` begin an n-gram.
    """
    base = int(letters[-1]) + 1
    tables, begun, count = list[Numbers](), rows[0], base - 1
    for row in rows[1:3]:
        if base > MOST_LETTERS or (count + 1) * base > MOST_PLACES:
            return None
        keys = begun * np.int32(base) + row
        table = np.zeros((count + 1) * base, dtype=np.int32)
        table[keys.take(whole)] = 1
        different = np.flatnonzero(table)
        table[different] = np.arange(1, len(different) + 1)
        tables.append(table)
        begun, count = table.take(keys), len(different)
    if (count + 1) * base > MOST_PLACES:
        return None
    return tables[0], tables[1], np.zeros((count + 1) * base, dtype=np.int32), begun * np.int32(base)
