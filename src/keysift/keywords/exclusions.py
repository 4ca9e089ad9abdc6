"""Excluded keywords: where they occur, no other keyword counts.

Such a document has no strength, so it is never in the positive set; among all documents, with which that set is
compared, it stays. It scores lower than any other can, and is never decided positive.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.keywords.expansion import Keyword
from keysift.keywords.occurrences import columns_of, count_keywords
from keysift.keywords.parsing import contradiction
from keysift.text.counts import Term
from keysift.text.inflections import Inflections
from keysift.text.prefixes import beginning_with, is_prefix
from keysift.text.tokens import Tokens


@dataclass(frozen=True, eq=False)
class Exclusions:
    """Which documents hold an excluded keyword."""

    keywords: tuple[Keyword, ...]
    matches: sp.csr_array
    """How often each document (row) holds each of them (column)."""
    lost: NDArray[np.int64]
    """For each keyword and expansion, in how many documents it is not counted for that."""

    @cached_property
    def documents(self) -> NDArray[np.bool_]:
        """Whether each document holds one."""
        return np.asarray(np.diff(self.matches.indptr) > 0)

    def take(self, documents: NDArray[np.int64]) -> "Exclusions":
        """Only some of the documents; what is lost is said of all."""
        return replace(self, matches=self.matches[documents])


def check_sides(keywords: Sequence[Keyword], excluded: Sequence[Keyword]) -> None:
    """Refuse a keyword of which every occurrence is one of an excluded keyword.

    >>> winner, begun = (Keyword(text, (text,), 1.0, False, ()) for text in ("winner", "win*"))
    >>> check_sides([winner], [begun])
    Traceback (most recent call last):
    keysift.errors.KeywordError: The keyword 'winner' is also excluded, by 'win*', so no document could count for it;
    leave one of the two out.
    """
    with_word: dict[str, list[Keyword]] = {}
    for keyword in keywords if excluded else ():
        for word in keyword.term:
            with_word.setdefault(word, []).append(keyword)
    words = list(with_word)
    begun = [keyword for keyword in excluded if is_prefix(keyword.term[0])]
    found = beginning_with(pl.Series("word", words, dtype=pl.String), [keyword.term[0] for keyword in begun])
    for other, places in zip(begun, found, strict=True):
        for place in places[:1]:
            raise contradiction(with_word[words[place]][0].text, other.text)
    for other in excluded:
        for keyword in with_word.get(other.term[0], ()):
            if _within(other.term, keyword.term):
                raise contradiction(keyword.text, other.text)


def _within(part: Term, whole: Term) -> bool:
    """Whether the words of one term stand side by side in the other.

    >>> _within(("car*",), ("lost", "card")), _within(("card", "lost"), ("lost", "card"))
    (True, False)
    """

    def covers(own: str, word: str) -> bool:
        return word.startswith(own[:-1]) if is_prefix(own) else word == own

    starts = range(len(whole) - len(part) + 1)
    return any(all(map(covers, part, whole[start : start + len(part)])) for start in starts)


def find_both(
    tokens: Tokens, terms: Sequence[Term], excluded: Sequence[Keyword], inflections: Inflections | None
) -> tuple[sp.csr_array, Exclusions]:
    """Count terms and excluded keywords; where one of those is, no term is counted.

    They are counted together, so that of two forms of one word ("love", but not "loved") each has its own spelling.
    """
    both = count_keywords(tokens, (*terms, *(keyword.term for keyword in excluded)), inflections)
    if not excluded:
        return both, Exclusions((), sp.csr_array((len(tokens), 0)), np.zeros(len(terms), dtype=np.int64))
    matches = columns_of(both, list(range(len(terms))))
    out = columns_of(both, list(range(len(terms), both.shape[1])))
    kept = without_rows(matches, np.diff(out.indptr) > 0)
    before, after = (np.bincount(one.indices, minlength=len(terms)) for one in (matches, kept))
    return kept, Exclusions(tuple(excluded), out, before - after)


def without_rows(matches: sp.csr_array, rows: NDArray[np.bool_]) -> sp.csr_array:
    """The same with nothing in some rows."""
    sizes = np.where(rows, 0, np.diff(matches.indptr))
    kept = np.repeat(~rows, np.diff(matches.indptr))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(matches.indptr.dtype)
    return sp.csr_array((matches.data[kept], matches.indices[kept], starts), shape=matches.shape)


def typed(keywords: Sequence[Keyword], excluded: Sequence[Keyword]) -> dict[str, float]:
    """Keywords and excluded keywords as one types them, and their weights."""
    return {keyword.text: keyword.weight for keyword in (*keywords, *excluded)}
