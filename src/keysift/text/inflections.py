"""Words of a corpus that are inflections of the same word, by a light stemmer."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
import scipy.sparse as sp
import snowballstemmer
from numpy.typing import NDArray

from keysift.text.counts import Term, count_terms
from keysift.text.languages import NAMES
from keysift.text.tokens import Tokens

STEMMERS = {code: name.lower() for code, name in NAMES.items() if name.lower() in snowballstemmer.algorithms()}
"""The stemmer of each language that has one."""
ENDINGS = frozenset(
    ["ca", "cs", "da", "de", "en", "eo", "es", "et", "eu", "fr", "hu", "it", "lt", "no", "pl", "pt", "ro", "sv"]
)
"""Languages whose stemmer changes endings only: a word and its stem begin alike."""
CHANGED, CHANGED_IN = 3, {"en": 1, "eu": 99}
"""Letters at the end of a stem that its words may spell otherwise: "hoping" has the stem "hope"; in Basque any."""
DIGRAPHS = {"de": ("([aou])e", "$1"), "eo": ("([cghjsu])x", "$1")}
"""Two letters that some write for one, as ue for ü, which a stemmer may turn into it."""
ALIKE = 2
"""Letters at the beginning of a stem that all its words have, however short it is."""
LAST = "\U0010ffff"
"""No letter comes after it."""
APART = " "
"""Begins the stem of a word that is nobody's inflection: no stem begins so."""


@dataclass(frozen=True, eq=False)
class Inflections:
    """Which words of a vocabulary have the same stem.

    Only words that begin like the stem of one that is asked for are stemmed, and each of them once: it is the slow
    part. Words that stand `apart` (stop words) are nobody's inflection: "doing" does not find every "do".

    >>> words = pl.Series("word", ["paket", "hund", "pakete", "paketen", "parlament"])
    >>> inflections = Inflections(words, "de")
    >>> words.filter(pl.Series(inflections.of(["Pakets".lower()]))).to_list()
    ['paket', 'pakete', 'paketen']
    """

    words: pl.Series
    language: str
    apart: Set[str] = frozenset()
    rows: dict[str, list[int]] = field(default_factory=dict, repr=False)
    """The rows of the words that have a stem, as far as they were looked at."""
    complete: set[str] = field(default_factory=set, repr=False)
    """Stems of which every word was looked at."""

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each word."""
        stemmer = snowballstemmer.stemmer(STEMMERS[self.language])
        pairs = zip(words, stemmer.stemWords(list(words)), strict=True)
        # A stem of one letter says nothing: "aing" is no form of "a".
        return [APART + word if word in self.apart else stem if len(stem) > 1 else word for word, stem in pairs]

    def of(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Which words of the vocabulary have the stem of one of these."""
        return np.asarray(self._places(self.stems(words)) > 0)

    def count(self, tokens: Tokens, terms: Sequence[Term]) -> sp.csr_array:
        """Count words and phrases with the inflections of their words.

        Of several terms with the same stems each has what is spelled like it, and the first has all other inflections.

        >>> from keysift.text.tokens import tokenize
        >>> tokens = tokenize(pl.Series(["a topped up card", "topping up cards", "top up"]))
        >>> inflections = Inflections(tokens.words, "en")
        >>> inflections.count(tokens, [("card",), ("top", "up"), ("topped", "up")]).toarray().tolist()
        [[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
        """
        words = list(dict.fromkeys(word for term in terms for word in term))
        stem_of = dict(zip(words, self.stems(words), strict=True))
        stemmed = [tuple(stem_of[word] for word in term) for term in terms]
        stems = list(dict.fromkeys(stem_of.values()))
        codes = self._places(stems)
        # The first place is for words that no term asks for; no stem is empty.
        by_stem = Tokens(codes[tokens.codes], tokens.starts, pl.Series("word", ["", *stems], dtype=pl.String))
        unique = list(dict.fromkeys(stemmed))
        counts = count_terms(by_stem, unique)
        if len(unique) == len(terms):
            return counts
        column_of = {term: column for column, term in enumerate(unique)}
        columns = [column_of[term] for term in stemmed]
        later = [place for place, column in enumerate(columns) if column in columns[:place]]
        shares = sp.csc_array(sp.csc_array(counts)[:, columns])
        exact = sp.csc_array(count_terms(tokens, [terms[place] for place in later]))
        # Each term begins with all, a later one takes what is spelled like it, and the first has what is left.
        parts = [shares[:, [place]] for place in range(len(terms))]
        for number, place in enumerate(later):
            parts[place] = exact[:, [number]]
            first = columns.index(columns[place])
            parts[first] = parts[first] - parts[place]
        divided = sp.csr_array(sp.hstack(parts, format="csr"))
        divided.eliminate_zeros()
        return divided

    def _places(self, stems: Sequence[str]) -> NDArray[np.int32]:
        """For each word of the vocabulary 1 + the place of its stem among `stems`, or 0."""
        stems = list(dict.fromkeys(stems))
        if new := [stem for stem in stems if stem not in self.complete]:
            self._look_for(new)
        places = np.zeros(len(self.words), dtype=np.int32)
        for place, stem in enumerate(stems, start=1):
            places[self.rows.get(stem, [])] = place
        return places

    def _look_for(self, stems: Sequence[str]) -> None:
        """Stem the words that may have one of these stems, unless they are."""
        rows = np.concatenate([self._ordered[1][start:stop] for start, stop in self._ranges(stems)])
        rows = np.unique(rows[~self._stemmed[rows]])
        for row, stem in zip(rows.tolist(), self.stems(self.words.gather(rows).to_list()), strict=True):
            self.rows.setdefault(stem, []).append(row)
        self._stemmed[rows] = True  # at the end: another thread that sees it sees the rows, too
        self.complete.update(stems)

    def _ranges(self, stems: Sequence[str]) -> list[tuple[int, int]]:
        """For each stem, where the words are, in their order, that begin as all its words do."""
        if self.language not in ENDINGS:
            return [(0, len(self.words))]
        changed = CHANGED_IN.get(self.language, CHANGED)
        letters = self._plain(pl.Series("word", [stem.removeprefix(APART) for stem in stems], dtype=pl.String))
        sure = [plain[: max(ALIKE, len(plain) - changed)] for plain in letters]
        ends = [plain if len(plain) < ALIKE else plain + LAST for plain in sure]  # one letter is a word by itself
        words = self._ordered[0]
        return [(bisect_left(words, start), bisect_right(words, end)) for start, end in zip(sure, ends, strict=True)]

    @cached_property
    def _stemmed(self) -> NDArray[np.bool_]:
        """Which words were looked at."""
        return np.zeros(len(self.words), dtype=bool)

    @cached_property
    def _ordered(self) -> tuple[list[str], NDArray[np.int64]]:
        """The words, written plainly and in order, and their rows."""
        plain = self._plain(self.words) if self.language in ENDINGS else self.words
        order = plain.arg_sort()
        return plain.gather(order).to_list(), order.to_numpy().astype(np.int64)

    def _plain(self, words: pl.Series) -> pl.Series:
        """Words as a stemmer of endings leaves their beginning: without the signs that it may change."""
        plain = words.str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.replace_many(["ß", "y"], ["ss", "i"])
        return plain.str.replace_all(*DIGRAPHS[self.language]) if self.language in DIGRAPHS else plain


def inflections_of(words: pl.Series, language: str, apart: Set[str]) -> Inflections | None:
    """The inflections in a vocabulary; None for a language without a stemmer."""
    return Inflections(words, language, apart) if language in STEMMERS else None
