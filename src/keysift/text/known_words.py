"""Words that are known before a text is read, each with its number: a model looks many texts up in the same ones."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.text.dictionary import Cut, Dictionary, cut


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Different words, each at the place of its number; nothing is ever added, so that threads can share them.

    >>> known = KnownWords.of(pl.Series(["rose", "a"]))
    >>> known.table.look_up(cut(pl.Series(["a", "is", "rose"]))).tolist()
    [1, -1, 0]
    """

    words: pl.Series
    table: Dictionary

    @classmethod
    def of(cls, words: pl.Series) -> "KnownWords":
        """Number them."""
        table = Dictionary()
        table.number(cut(words))
        return cls(words.rename("word"), table)


@dataclass(frozen=True, eq=False)
class MoreWords:
    """A dictionary that begins with known words, whether a text has them or not; others come after them.

    >>> more = MoreWords(KnownWords.of(pl.Series(["rose", "a"])))
    >>> more.number(cut(pl.Series(["a", "rose", "is", "a"]))).tolist(), more.words.to_list()
    ([1, 0, 2, 1], ['rose', 'a', 'is'])
    """

    known: KnownWords
    others: Dictionary = field(default_factory=Dictionary)

    @property
    def words(self) -> pl.Series:
        """Every word, at the place of its number."""
        return pl.concat([self.known.words, self.others.words])

    def number(self, cut: Cut) -> NDArray[np.int32]:
        """The number of each word; one that is not known gets the next."""
        codes = self.known.table.look_up(cut)
        rest = np.flatnonzero(codes < 0)
        if len(rest):
            others = self.others.number(Cut(cut.text, cut.starts[rest], cut.lengths[rest]))
            codes[rest] = others + len(self.known.words)
        return codes
