"""Words of a corpus that are inflections of the same word, by a light stemmer."""

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
APART = " "
"""Begins the stem of a word that is nobody's inflection: no stem begins so."""


@dataclass(frozen=True, eq=False)
class Inflections:
    """Which words of a vocabulary have the same stem.

    Only words that begin like one that is asked for are stemmed, and each of them once: it is the slow part. Words that
    stand `apart` (stop words) are nobody's inflection: "doing" does not find every "do".

    >>> words = pl.Series("word", ["paket", "hund", "pakete", "paketen", "parlament"])
    >>> inflections = Inflections(words, "de")
    >>> words.filter(pl.Series(inflections.of(["Pakets".lower()]))).to_list()
    ['paket', 'pakete', 'paketen']
    """

    words: pl.Series
    language: str
    apart: Set[str] = frozenset()
    known: dict[str, tuple[NDArray[np.int64], list[str]]] = field(default_factory=dict, repr=False)
    """Rows and stems of the words that begin in some way."""

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each word."""
        stemmer = snowballstemmer.stemmer(STEMMERS[self.language])
        pairs = zip(words, stemmer.stemWords(list(words)), strict=True)
        # A stem of one letter says nothing: "aing" is no form of "a".
        return [APART + word if word in self.apart else stem if len(stem) > 1 else word for word, stem in pairs]

    def of(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Which words of the vocabulary have the stem of one of these."""
        return np.asarray(self._places(words, self.stems(words)) > 0)

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
        codes = self._places(words, stems)
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

    def _places(self, words: Sequence[str], stems: Sequence[str]) -> NDArray[np.int32]:
        """For each word of the vocabulary 1 + the place of its stem among `stems`, those of `words`; else 0."""
        place_of = {stem: place for place, stem in enumerate(dict.fromkeys(stems), start=1)}
        places = np.zeros(len(self.words), dtype=np.int32)
        for beginning in dict.fromkeys(self._beginnings(pl.Series("word", list(words), dtype=pl.String))):
            rows, of_rows = self._stemmed(beginning)
            places[rows] = [place_of.get(stem, 0) for stem in of_rows]
        return places

    def _stemmed(self, beginning: str) -> tuple[NDArray[np.int64], list[str]]:
        if beginning not in self.known:
            rows = np.flatnonzero((self._of_words == beginning).to_numpy())
            self.known[beginning] = rows, self.stems(self.words.gather(rows).to_list())
        return self.known[beginning]

    @cached_property
    def _of_words(self) -> pl.Series:
        return self._beginnings(self.words)

    def _beginnings(self, words: pl.Series) -> pl.Series:
        """How a word and its stem both begin: two letters, written alike where a stemmer may change them."""
        if self.language not in ENDINGS:
            return pl.repeat("", len(words), dtype=pl.String, eager=True)
        plain = words.str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.replace_many(["ß", "y"], ["ss", "i"])
        return (plain.str.replace_all("([aou])e", "$1") if self.language == "de" else plain).str.slice(0, 2)


def inflections_of(words: pl.Series, language: str, apart: Set[str]) -> Inflections | None:
    """The inflections in a vocabulary; None for a language without a stemmer."""
    return Inflections(words, language, apart) if language in STEMMERS else None
