"""Where each keyword occurs, and how similar each document is to all of them."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.keywords.denied import asserted
from keysift.keywords.exclusions import Exclusions, find_both, typed, without_rows
from keysift.keywords.expansion import Keyword, keyword_document
from keysift.keywords.occurrences import columns_of, count_keywords, forms_of
from keysift.settings import Settings
from keysift.text.counts import Term, count_words
from keysift.text.inflections import Inflections, inflections_of
from keysift.text.languages import stop_word_set
from keysift.text.scripts import spelled
from keysift.text.tokens import Tokens


@dataclass(frozen=True)
class TermMatches:
    """What the keyword document has in common with each document."""

    similarity: NDArray[np.float64]
    """Cosine of each document with the keyword document."""
    terms: tuple[Term, ...]
    """The terms of the keyword document."""
    matches: sp.csr_array
    """How often each document (row) holds each term (column)."""

    @property
    def documents(self) -> NDArray[np.int64]:
        """How many documents hold each term."""
        return np.asarray(np.bincount(self.matches.indices, minlength=len(self.terms)))


@dataclass(frozen=True, eq=False)
class Matches:
    """Where each keyword and its expansions occur in the documents.

    >>> import polars as pl
    >>> from keysift.text.tokens import tokenize
    >>> tokens = tokenize(pl.Series(["a hockey game", "a baseball game", "tax law"]))
    >>> keywords = [Keyword(word, (word,), 1.0, True, ()) for word in ("hockey", "baseball")]
    >>> matches = Matches.find(keywords, tokens, count_words(tokens), Settings())
    >>> matches.holders.tolist(), matches.only([1]).similarity.round(2).tolist()
    ([0, 1], [0.0, 0.71, 0.0])
    """

    keywords: tuple[Keyword, ...]
    found: TermMatches
    tokens: Tokens
    counts: sp.csr_array
    """How often each document holds each word of `tokens.words`."""
    settings: Settings
    """With the language of the documents, and its stop words."""
    inflections: Inflections | None = None
    """Where a word matches in other forms, too."""
    exclusions: Exclusions | None = None
    """Where the excluded keywords occur; in these documents no keyword is found."""

    @classmethod
    def find(
        cls,
        keywords: Sequence[Keyword],
        tokens: Tokens,
        counts: sp.csr_array,
        settings: Settings,
        inflections: Inflections | None = None,
        excluded: Sequence[Keyword] = (),
    ) -> "Matches":
        """Look for the keywords and their expansions; `inflections` are those of the settings, if you have them."""
        settings = settings.settled(tokens)
        inflections = inflections or corpus_inflections(tokens, settings)
        document = keyword_document(keywords, settings.alpha)
        stop_words = _stop_words(keywords, settings)
        if not excluded:
            found = match_terms(tokens, document, stop_words=stop_words, counts=counts, inflections=inflections)
            return cls(tuple(keywords), found, tokens, counts, settings, inflections)
        wanted = {term: times for term, times in document.items() if spelled(term) not in stop_words}
        matches, exclusions = find_both(tokens, tuple(wanted), excluded, inflections)
        similarity = _similarity(tokens, counts, matches, wanted, stop_words, inflections)
        found = TermMatches(similarity, tuple(wanted), matches)
        return cls(tuple(keywords), found, tokens, counts, settings, inflections, exclusions)

    @property
    def similarity(self) -> NDArray[np.float64]:
        """Cosine of each document with the keyword document."""
        return self.found.similarity

    @property
    def terms(self) -> tuple[Term, ...]:
        """The keywords and expansions that have a say."""
        return self.found.terms

    @property
    def own_terms(self) -> tuple[Term, ...]:
        """The keywords themselves."""
        return tuple(keyword.term for keyword in self.keywords)

    @cached_property
    def _own(self) -> tuple[NDArray[np.int64], sp.csr_array]:
        column_of = {term: column for column, term in enumerate(self.terms)}
        if all(term in column_of for term in self.own_terms):
            counts = columns_of(self.found.matches, [column_of[term] for term in self.own_terms])
        else:  # keywords that are stop words may be left out of the similarity, but still occur
            counts = count_keywords(self.tokens, self.own_terms, self.inflections)
            counts = counts if self.exclusions is None else without_rows(counts, self.exclusions.documents)
        rows = np.flatnonzero(np.diff(counts.indptr))
        return rows, counts[rows]

    @property
    def excluded(self) -> NDArray[np.bool_]:
        """The documents that hold an excluded keyword."""
        nowhere = np.zeros(len(self.tokens), dtype=bool)
        return nowhere if self.exclusions is None else self.exclusions.documents

    @property
    def typed(self) -> dict[str, float]:
        """The keywords and the excluded ones as one types them, and their weights."""
        return typed(self.keywords, () if self.exclusions is None else self.exclusions.keywords)

    @property
    def holders(self) -> NDArray[np.int64]:
        """The documents that hold a keyword, not only an expansion."""
        return self._own[0]

    @property
    def occurrences(self) -> sp.csr_array:
        """How often each of the holders holds each keyword."""
        return self._own[1]

    def asserted(self, reach: int, first: int | None = None) -> sp.csr_array:
        """How often each document holds each term without a negation up to so many words before it.

        `first` looks at so many of its first words only.
        """
        if (reach, first) not in self._asserted:
            self._asserted[reach, first] = self._look_again(reach, first)
        return self._asserted[reach, first]

    def _look_again(self, reach: int, first: int | None) -> sp.csr_array:
        own = frozenset(word for term in self.own_terms for word in term)
        tokens = whole = asserted(self.tokens, self.settings.language, reach, own)
        if first is not None:
            tokens = whole.opening(first)
            if tokens is whole:
                return self.asserted(reach)
        if tokens is self.tokens:
            return self.found.matches
        counts = count_keywords(tokens, self.terms, self.inflections)
        return sp.csr_array(counts.multiply(self.found.matches > 0))  # not what is excluded, or another term's

    @cached_property
    def _asserted(self) -> dict[tuple[int, int | None], sp.csr_array]:
        return {}

    @cached_property
    def own_words(self) -> list[str]:
        """Every word of the documents that is one of a keyword, in whatever form."""
        return forms_of(self.tokens, [word for term in self.own_terms for word in term], self.inflections)

    @property
    def filled(self) -> "Matches":
        """The same without the empty documents, in which nothing can occur; itself where there is none."""
        rows = np.flatnonzero(self.tokens.lengths)
        if len(rows) == len(self.tokens):
            return self
        found = TermMatches(self.found.similarity[rows], self.found.terms, self.found.matches[rows])
        out = None if self.exclusions is None else self.exclusions.take(rows)
        return replace(self, found=found, tokens=self.tokens.filled, counts=self.counts[rows], exclusions=out)

    def only(self, chosen: Sequence[int]) -> "Matches":
        """What some of the keywords find alone.

        An expansion of a chosen keyword does not count if it is itself a keyword that was not chosen.
        """
        keywords = [self.keywords[place] for place in chosen]
        left_out = set(self.own_terms) - {keyword.term for keyword in keywords}
        document = {
            term: times
            for term, times in keyword_document(keywords, self.settings.alpha).items()
            if term not in left_out
        }
        stop_words = _stop_words(self.keywords, self.settings)
        wanted = {term: times for term, times in document.items() if spelled(term) not in stop_words}
        column_of = {term: column for column, term in enumerate(self.terms)}
        matches = columns_of(self.found.matches, [column_of[term] for term in wanted])
        similarity = _similarity(self.tokens, self.counts, matches, wanted, stop_words, self.inflections)
        return replace(self, keywords=tuple(keywords), found=TermMatches(similarity, tuple(wanted), matches))


def match_terms(
    tokens: Tokens,
    keyword_document: Mapping[Term, float],
    *,
    stop_words: Set[str] = frozenset(),
    counts: sp.csr_array | None = None,
    inflections: Inflections | None = None,
) -> TermMatches:
    """Find the terms of the keyword document in each document, and how similar the two are.

    Terms that are stop words are left out. The similarity is the cosine of TF-IDF vectors without stop words, fitted on
    the documents and the keyword document. `counts` are the word counts of `tokens`, if you have them already. Without
    `inflections` words match as they are spelled, which is the paper's reading.
    """
    wanted = {term: times for term, times in keyword_document.items() if spelled(term) not in stop_words}
    matches = count_keywords(tokens, tuple(wanted), inflections)
    counts = count_words(tokens) if counts is None else counts
    return TermMatches(_similarity(tokens, counts, matches, wanted, stop_words, inflections), tuple(wanted), matches)


def corpus_inflections(tokens: Tokens, settings: Settings) -> Inflections | None:
    """The inflections in a corpus, where settled settings ask for them; a tokenizer of one's own knows words better."""
    if not settings.inflections or settings.tokenizer is not None:
        return None
    return inflections_of(tokens.words, settings.language, stop_word_set(settings.stop_words))


def count_in(
    tokens: Tokens, terms: Sequence[Term], settings: Settings, excluded: Sequence[Keyword] = ()
) -> tuple[sp.csr_array, Exclusions]:
    """How often each of some documents holds each term, and excluded keyword, as settled settings allow."""
    return find_both(tokens, terms, excluded, corpus_inflections(tokens, settings))


def _stop_words(keywords: Sequence[Keyword], settings: Settings) -> frozenset[str]:
    stop_words = stop_word_set(settings.stop_words)
    if settings.stop_keywords == "keep":
        return stop_words - {spelled(keyword.term) for keyword in keywords}
    return stop_words


def _similarity(
    tokens: Tokens,
    counts: sp.csr_array,
    matches: sp.csr_array,
    wanted: Mapping[Term, float],
    stop_words: Set[str],
    inflections: Inflections | None,
) -> NDArray[np.float64]:
    """Cosine between the TF-IDF vectors of the documents and of the keyword document.

    A phrase is a column of its own beside the words. Columns of the keyword document are taken from `matches`, all
    others only lengthen the documents' vectors.
    """
    if not wanted:
        return np.zeros(len(tokens))
    # One more document, because the keyword document is one, and holds every term; an empty one is none.
    total = int((tokens.lengths > 0).sum()) + 1
    term_idf = _idf(np.bincount(matches.indices, minlength=len(wanted)) + 1, total)
    query = np.array(list(wanted.values())) * term_idf
    length = np.linalg.norm(query)
    word_idf = _idf(np.bincount(counts.indices, minlength=counts.shape[1]), total)
    word_idf[tokens.words.is_in(list(stop_words)).to_numpy()] = 0.0
    single = forms_of(tokens, [term[0] for term in wanted if len(term) == 1], inflections)
    word_idf[tokens.words.is_in(single).to_numpy()] = 0.0
    squares = _squared(counts) @ word_idf**2 + _squared(matches) @ term_idf**2
    dot = matches @ (query * term_idf / length)
    return np.asarray(np.divide(dot, np.sqrt(squares), out=np.zeros(len(tokens)), where=squares > 0))


def _idf(documents: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """log((1 + n) / (1 + df)) + 1, as scikit-learn smooths it."""
    return np.asarray(np.log((1 + total) / (1 + documents)) + 1)


def _squared(counts: sp.csr_array) -> sp.csr_array:
    return sp.csr_array((counts.data.astype(np.float64) ** 2, counts.indices, counts.indptr), shape=counts.shape)
