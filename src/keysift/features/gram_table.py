"""Known n-grams of three and four letters, to be looked up in many words at once.

Three letters in a row are a number, and a table says which beginning of an n-gram they are, if any; a beginning and one
more letter are a place in a second table. Nothing has to be hashed, compared or sorted.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

SIZES = (3, 4)
"""Characters of an n-gram; the ends of a word count as one each."""
LONGEST = 40
"""Characters of a word that are looked at."""
MOST_LETTERS = 160
"""Different letters of an alphabet, whose third power is the size of the first table; scripts of signs have more."""


@dataclass(frozen=True, eq=False)
class GramTable:
    """Numbers of known n-grams.

    >>> table = GramTable.of(pl.Series(["abc", " ab", "abca"]))
    >>> table.spell(pl.Series(["abcabc", "né"])).toarray().tolist()
    [[2.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """

    size: int
    """How many n-grams there are."""
    letters: NDArray[np.int32]
    """The number of each code point up to one above all that are known; zero for others."""
    beginnings: NDArray[np.int32]
    """The number of three letters that begin an n-gram; zero for others."""
    threes: NDArray[np.int32]
    """The n-gram that a beginning is itself, or -1."""
    fours: NDArray[np.int32]
    """The n-gram that a beginning and one more letter are, or -1."""

    @property
    def base(self) -> int:
        """How many letters there are, the unknown one included."""
        return len(self.fours) // len(self.threes)

    @classmethod
    def of(cls, grams: pl.Series) -> "GramTable | None":
        """The table of these n-grams; None where they have too many different letters."""
        sizes = grams.str.len_chars().to_numpy()
        three, four = (np.flatnonzero(sizes == size) for size in SIZES)
        rows = [
            _code_points(grams.gather(places)).reshape(-1, size)
            for places, size in zip((three, four), SIZES, strict=True)
        ]
        known = np.unique(np.concatenate([row.ravel() for row in rows]))
        base = len(known) + 1
        if base > MOST_LETTERS:
            return None
        letters = np.zeros(int(known.max(initial=0)) + 2, dtype=np.int32)
        letters[known] = np.arange(1, base)
        of_three, of_four = (letters[row] for row in rows)
        codes = [_codes(row, base) for row in (of_three, of_four)]
        different, places = np.unique(np.concatenate(codes), return_inverse=True)
        beginnings = np.zeros(base**3, dtype=np.int32)
        beginnings[different] = np.arange(1, len(different) + 1)
        threes = np.full(len(different) + 1, -1, dtype=np.int32)
        threes[places[: len(three)] + 1] = three
        fours = np.full((len(different) + 1) * base, -1, dtype=np.int32)
        fours[(places[len(three) :] + 1) * base + of_four[:, 3]] = four
        return cls(len(grams), letters, beginnings, threes, fours)

    def spell(self, words: pl.Series) -> sp.csr_array:
        """How often each word holds each n-gram; one that is there twice has two entries of one."""
        text = " " + words.str.slice(0, LONGEST) + " "
        ends = np.cumsum(text.str.len_chars().to_numpy().astype(np.int64))
        points = np.minimum(_code_points(text), len(self.letters) - 1)
        letters = np.concatenate([self.letters.take(points), np.zeros(max(SIZES), dtype=np.int32)])
        begun = self.beginnings.take(
            _codes(np.lib.stride_tricks.sliding_window_view(letters, 4)[: len(points)], self.base)
        )
        found = np.empty((len(points), 2), dtype=np.int32)
        found[:, 0] = self.threes.take(begun)
        found[:, 1] = self.fours.take(begun * np.int32(self.base) + letters[3 : 3 + len(points)])
        # What goes beyond the end of its word is no n-gram of it.
        found[ends - 1], found[ends - 2], found[ends - 3, 1] = -1, -1, -1
        held = np.flatnonzero(found.ravel() >= 0)
        starts = np.concatenate([[0], np.searchsorted(held, 2 * ends)]).astype(np.int32)
        ones = np.ones(len(held), dtype=np.float32)
        return sp.csr_array((ones, found.ravel().take(held), starts), shape=(len(words), self.size))


def _code_points(words: pl.Series) -> NDArray[np.uint32]:
    """Every character of all words, as its number in Unicode."""
    return np.frombuffer(words.str.join("").item().encode("utf-32-le") if len(words) else b"", dtype="<u4")


def _codes(letters: NDArray[np.int32], base: int) -> NDArray[np.int32]:
    """The first three letters of each row as one number."""
    return np.asarray((letters[:, 0] * np.int32(base) + letters[:, 1]) * np.int32(base) + letters[:, 2])
