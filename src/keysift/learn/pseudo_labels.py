"""Algorithm 1: split the documents by their similarity with the keyword document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import KeywordError, SettingError, listed
from keysift.keywords.match import TermMatches
from keysift.text.counts import Term
from keysift.text.scripts import spelled


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
    empty: int = 0
    """How many of the documents are empty: they are in neither set."""

    @property
    def positives(self) -> NDArray[np.int64]:
        """The documents of the corrupted positive set."""
        return np.flatnonzero(self.positive)

    @property
    def negatives(self) -> NDArray[np.int64]:
        """The documents of the corrupted negative set, and those that are empty."""
        return np.flatnonzero(~self.positive)

    @property
    def share(self) -> float:
        """The heuristic prior: the share of pseudo-positives among the documents that are not empty."""
        return float(self.positive.sum() / max(1, len(self.positive) - self.empty))

    def spread(self, places: NDArray[np.int64], found: TermMatches) -> "PseudoLabels":
        """The labels of documents at these places, among all that `found` tells of; the others are empty."""
        documents = len(found.similarity)
        if len(places) == documents:
            return self
        positive = np.zeros(documents, dtype=bool)
        positive[places] = self.positive
        return PseudoLabels(positive, found.similarity, self.terms, found.matches, documents - len(places))


def pseudo_label(
    found: TermMatches, *, phi: float = 90.0, brought_by: Mapping[Term, str] | None = None
) -> PseudoLabels:
    """Positive where the similarity is above zero and in the top phi percent of those above zero.

    `brought_by` tells for an expansion which keyword it is near to, so that an error can name what the user typed.

    >>> import polars as pl
    >>> from keysift.keywords.match import match_terms
    >>> from keysift.text.tokens import tokenize
    >>> tokens = tokenize(pl.Series(["a hockey game", "tax law", "hockey"]))
    >>> pseudo_label(match_terms(tokens, {("hockey",): 3.0})).positive.tolist()
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
    return listed(map(spelled, terms), most=20)


def _blamed(terms: Sequence[Term], brought_by: Mapping[Term, str]) -> str:
    def name(term: Term) -> str:
        origin = (
            f" (near the keyword {brought_by[term]!r}; or leave it out with never_add=)" if term in brought_by else ""
        )
        return repr(spelled(term)) + origin

    return ", ".join(map(name, terms))
