"""What the keywords find in the documents, before anything is decided or learned."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import KeywordError
from keysift.keywords import Keyword, brought_by, expand, keyword_document, parse_keywords, warn_of_missing
from keysift.learning import Split
from keysift.pseudolabel import KeywordMatches, PseudoLabels, match_keywords, pseudo_label
from keysift.scoring import Work
from keysift.settings import Settings
from keysift.text import Term, Tokens, count_terms, count_words, recolumn, stop_word_set
from keysift.vectors import WordVectors, get_vectors
from keysift.views import Documents

__all__ = ["Sight", "look"]

Encode = Callable[[pl.Series], NDArray[np.float32]]
"""From texts to sentence vectors."""


@dataclass(frozen=True, eq=False)
class Sight:
    """The documents, the keywords, and what the one have of the other."""

    tokens: Tokens
    counts: sp.csr_array
    vectors: WordVectors
    keywords: tuple[Keyword, ...]
    found: KeywordMatches
    settings: Settings

    def labels(self) -> PseudoLabels:
        """The split of Algorithm 1."""
        return pseudo_label(self.found, phi=self.settings.phi, brought_by=brought_by(self.keywords))

    def split_by(self, chosen: Sequence[int]) -> Split | None:
        """The split that only some of the keywords make; None where they find nothing, or everything.

        A word near a chosen keyword that is itself a keyword which was not chosen has no say.
        """
        left_out = {keyword.term for place, keyword in enumerate(self.keywords) if place not in set(chosen)}
        document = {
            term: times
            for term, times in keyword_document([self.keywords[place] for place in chosen], self.settings.alpha).items()
            if term not in left_out
        }
        stop_words = _stop_words(self.keywords, self.settings)
        found = match_keywords(self.tokens, document, stop_words=stop_words, counts=self.counts)
        try:
            labels = pseudo_label(found, phi=self.settings.phi)
        except KeywordError:
            return None
        return Split.of(labels.positive, labels.similarity)

    def work(self, labels: PseudoLabels, texts: pl.Series, vectors: NDArray[np.float32] | None, encode: Encode) -> Work:
        """All that learning across views needs; `encode` gives sentence vectors to documents without their keywords."""
        terms = [keyword.term for keyword in self.keywords]
        holds = count_terms(self.tokens, terms)
        rows = np.flatnonzero(np.diff(holds.indptr))
        words = {word for term in terms for word in term}
        kept = np.where(self.tokens.words.is_in(list(words)).to_numpy(), -1, np.arange(len(self.tokens.words)))
        hidden = recolumn(self.counts[rows], kept, len(kept))
        return Work(
            documents=Documents(self.counts, vectors),
            words=self.tokens.words,
            split=Split.of(labels.positive, labels.similarity),
            keyword_documents=rows,
            hidden=Documents(hidden, None if vectors is None else encode(_without(texts.gather(rows), terms))),
            holds=holds[rows],
            split_by=self.split_by,
        )


def look(
    tokens: Tokens, keywords: Any, vectors: Any, settings: Settings, seed: int, progress: Callable[[str, float], None]
) -> Sight:
    """Expand the keywords and find them in the documents."""
    progress("Expanding keywords", 0.0)
    word_vectors = get_vectors(vectors, tokens, np.random.default_rng(seed))
    expanded = expand(
        parse_keywords(keywords),
        word_vectors,
        gamma=settings.gamma,
        exclude=settings.exclude,
        tokenizer=settings.tokenizer,
    )
    progress("Expanding keywords", 1.0)
    progress("Finding keywords", 0.0)
    counts = count_words(tokens)
    document = keyword_document(expanded, settings.alpha)
    found = match_keywords(tokens, document, stop_words=_stop_words(expanded, settings), counts=counts)
    warn_of_missing(expanded, dict(zip(found.terms, found.documents.tolist(), strict=True)), tokens, word_vectors)
    progress("Finding keywords", 1.0)
    return Sight(tokens, counts, word_vectors, expanded, found, settings)


def _stop_words(keywords: Sequence[Keyword], settings: Settings) -> frozenset[str]:
    stop_words = stop_word_set(settings.stop_words)
    if settings.stop_keywords == "keep":
        return stop_words - {" ".join(keyword.term) for keyword in keywords}
    return stop_words


def _without(texts: pl.Series, terms: Sequence[Term]) -> pl.Series:
    """The texts with every keyword taken out, as far as plain words go.

    >>> _without(pl.Series(["Ice-hockey, and more ice."]), [("ice", "hockey")]).to_list()
    [', and more ice.']
    """
    pattern = "|".join(r"\b" + r"\W+".join(map(re.escape, term)) + r"\b" for term in sorted(terms, key=len)[::-1])
    return texts.str.replace_all(f"(?i){pattern}", "")
