"""Algorithm 1: split the documents by their similarity with the keyword document."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import KeywordError, SettingError, listed
from keysift.text import Term, Tokens, count_terms, count_words

__all__ = ["KeywordMatches", "PseudoLabels", "match_keywords", "pseudo_label"]


@dataclass(frozen=True)
class KeywordMatches:
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


@dataclass(frozen=True)
class PseudoLabels:
    """The corrupted positive and the corrupted negative set, and why each document is where it is."""

    positive: NDArray[np.bool_]
    """Whether each document is in the corrupted positive set."""
    similarity: NDArray[np.float64]
    """Cosine of each document with the keyword document."""
    terms: tuple[Term, ...]
    """The terms of the keyword document."""
    matches: sp.csr_array
    """How often each document (row) holds each term (column)."""

    @property
    def positives(self) -> NDArray[np.int64]:
        """The documents of the corrupted positive set."""
        return np.flatnonzero(self.positive)

    @property
    def negatives(self) -> NDArray[np.int64]:
        """The documents of the corrupted negative set."""
        return np.flatnonzero(~self.positive)

    @property
    def share(self) -> float:
        """The heuristic prior: the share of pseudo-positives."""
        return float(self.positive.mean())


def match_keywords(
    tokens: Tokens,
    keyword_document: Mapping[Term, float],
    *,
    stop_words: Set[str] = frozenset(),
    counts: sp.csr_array | None = None,
) -> KeywordMatches:
    """Find the terms of the keyword document in each document, and how similar the two are.

    Terms that are stop words are left out. The similarity is the cosine of TF-IDF vectors without stop words, fitted on
    the documents and the keyword document. `counts` are the word counts of `tokens`, where they are at hand already.
    """
    wanted = {term: times for term, times in keyword_document.items() if " ".join(term) not in stop_words}
    terms = tuple(wanted)
    matches = count_terms(tokens, terms)
    counts = count_words(tokens) if counts is None else counts
    similarity = _similarity(tokens, counts, matches, wanted, stop_words)
    return KeywordMatches(similarity, terms, matches)


def pseudo_label(
    found: KeywordMatches, *, phi: float = 90.0, brought_by: Mapping[Term, str] | None = None
) -> PseudoLabels:
    """Positive where the similarity is above zero and in the top phi percent of those above zero.

    `brought_by` tells for an expansion which keyword it is near to, so that an error can name what the user typed.

    >>> import polars as pl
    >>> from keysift.text import tokenize
    >>> tokens = tokenize(pl.Series(["a hockey game", "tax law", "hockey"]))
    >>> pseudo_label(match_keywords(tokens, {("hockey",): 3.0})).positive.tolist()
    [True, False, True]
    """
    if not 0 < phi <= 100:
        raise SettingError(f"phi must be a percentage above 0 and up to 100; got {phi!r}.")
    matching = found.similarity > 0
    if not found.terms:
        raise KeywordError("All keywords are stop words and dropped; keep them with stop_keywords='keep'.")
    if not matching.any():
        raise KeywordError(
            f"No document holds any of {_names(found.terms)}: none can be taken as positive; use keywords that occur in"
            " the documents (`keysift keywords` shows how often each does)."
        )
    lowest = np.percentile(found.similarity[matching], 100.0 - phi, method="lower")
    positive = found.similarity >= lowest * (1 - 1e-12)  # what is equal but for rounding gets the same label
    if positive.all():
        documents = found.documents
        common = [found.terms[column] for column in np.argsort(-documents, kind="stable")[:3] if documents[column]]
        raise KeywordError(
            f"All {len(positive)} documents are pseudo-positive, so there is nothing to compare them with; drop or"
            f" replace the most common of {_blamed(common, brought_by or {})}, or lower phi (now {phi:g})."
        )
    return PseudoLabels(positive, found.similarity, found.terms, found.matches)


def _names(terms: Sequence[Term]) -> str:
    return listed((" ".join(term) for term in terms), most=20)


def _blamed(terms: Sequence[Term], brought_by: Mapping[Term, str]) -> str:
    def name(term: Term) -> str:
        origin = f" (near the keyword {brought_by[term]!r}; or exclude it)" if term in brought_by else ""
        return repr(" ".join(term)) + origin

    return ", ".join(map(name, terms))


def _similarity(
    tokens: Tokens,
    counts: sp.csr_array,
    matches: sp.csr_array,
    wanted: Mapping[Term, float],
    stop_words: Set[str],
) -> NDArray[np.float64]:
    """Cosine between the TF-IDF vectors of the documents and of the keyword document.

    A phrase is a column of its own beside the words. Columns of the keyword document are taken from `matches`, all
    others only lengthen the documents' vectors.
    """
    if not wanted:
        return np.zeros(len(tokens))
    # One more document, because the keyword document is one, and holds every term.
    term_idf = _idf(np.bincount(matches.indices, minlength=len(wanted)) + 1, len(tokens) + 1)
    query = np.array(list(wanted.values())) * term_idf
    length = np.linalg.norm(query)
    word_idf = _idf(np.bincount(counts.indices, minlength=counts.shape[1]), len(tokens) + 1)
    word_idf[tokens.words.is_in(list(stop_words)).to_numpy()] = 0.0
    word_idf[tokens.words.is_in([term[0] for term in wanted if len(term) == 1]).to_numpy()] = 0.0
    squares = _squared(counts) @ word_idf**2 + _squared(matches) @ term_idf**2
    dot = matches @ (query * term_idf / length)
    return np.asarray(np.divide(dot, np.sqrt(squares), out=np.zeros(len(tokens)), where=squares > 0))


def _idf(documents: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """log((1 + n) / (1 + df)) + 1, as scikit-learn smooths it."""
    return np.asarray(np.log((1 + total) / (1 + documents)) + 1)


def _squared(counts: sp.csr_array) -> sp.csr_array:
    return sp.csr_array((counts.data.astype(np.float64) ** 2, counts.indices, counts.indptr), shape=counts.shape)
