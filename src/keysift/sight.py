"""What the keywords find in the documents, before anything is decided or learned."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import KeywordError
from keysift.keywords import (
    Belief,
    Keyword,
    Suggestion,
    brought_by,
    expand,
    keyword_document,
    parse_keywords,
    warn_of_missing,
)
from keysift.keywords.quality import AMBIGUOUS, ONLY, TOO_FEW, agreed, beliefs, places_among, suggest_words
from keysift.learning import Denied, Quality, Split
from keysift.pseudolabel import KeywordMatches, PseudoLabels, match_keywords, pseudo_label
from keysift.scoring import Work
from keysift.settings import Settings
from keysift.text import Term, Tokens, count_terms, count_words, recolumn, stop_word_set
from keysift.vectors import WordVectors, get_vectors
from keysift.views import Documents

__all__ = ["Sight", "look"]

Encode = Callable[[pl.Series], NDArray[np.float32]]
"""From texts to sentence vectors."""
Rescore = Callable[[NDArray[np.int64], sp.csr_array], NDArray[np.float64]]
"""From documents, and counts to read in place of theirs, to scores."""
FEWEST_BEST = 50
PATTERNS = 100
"""So many keywords are looked for at once: one pattern of many phrases grows too large."""
MOST_DENIED = 300
"""So many documents with a denied keyword are enough to see where it leads."""


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

    def work(
        self,
        labels: PseudoLabels,
        texts: pl.Series,
        vectors: NDArray[np.float32] | None,
        encode: Encode | None,
        answers: NDArray[np.int8] | None = None,
    ) -> Work:
        """All that learning across views needs.

        `encode` gives sentence vectors to documents without their keywords; vectors made elsewhere cannot be made again
        and stay as they are.
        """
        terms = [keyword.term for keyword in self.keywords]
        rows, holds = self.held()
        words = {word for term in terms for word in term}
        kept = np.where(self.tokens.words.is_in(list(words)).to_numpy(), -1, np.arange(len(self.tokens.words)))
        hidden = Documents(recolumn(self.counts[rows], kept, len(kept)), None if vectors is None else vectors[rows])
        denied = None
        if vectors is not None and encode is not None and len(rows):
            held, denial = texts.gather(rows), self.settings.denial.strip().replace("$", "$$")
            some = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), MOST_DENIED if denial else 0)).astype(int))
            denied_texts = _replaced(held.gather(some), terms, f"{denial} $0")
            changed = (denied_texts != held.gather(some)).to_numpy()  # plain words do not find every keyword
            some, denied_texts = some[changed], denied_texts.filter(pl.Series(changed))
            encoded = encode(pl.concat([_replaced(held, terms, ""), denied_texts]))
            hidden = Documents(hidden.counts, encoded[: len(rows)])
            if len(some):
                counts = self.counts[rows[some]]
                three = (vectors[rows[some]], encoded[len(rows) :], encoded[some])
                denied = Denied(some, *(Documents(counts, one) for one in three))
        return Work(
            documents=Documents(self.counts, vectors),
            words=self.tokens.words,
            split=Split.of(labels.positive, labels.similarity),
            keyword_documents=rows,
            hidden=hidden,
            holds=holds,
            split_by=self.split_by,
            answers=answers,
            denied=denied,
        )

    def held(self) -> tuple[NDArray[np.int64], sp.csr_array]:
        """The documents that hold a keyword, and how often they hold each."""
        holds = count_terms(self.tokens, [keyword.term for keyword in self.keywords])
        rows = np.flatnonzero(np.diff(holds.indptr))
        return rows, holds[rows]

    def keyword_beliefs(self, quality: Quality) -> dict[Term, Belief]:
        """What the other keywords believe of each; of the only one, what half of its documents do of the others."""
        _, holds = self.held()
        found = agreed(beliefs(holds, quality.belief))
        if quality.basis == "documents":
            found = [replace(one, verdict=ONLY) if one.verdict != TOO_FEW else one for one in found]
        return dict(zip([keyword.term for keyword in self.keywords], found, strict=True))

    def expansion_beliefs(self, scores: NDArray[np.float64], rescore: Rescore) -> dict[Term, Belief]:
        """What the ranking believes of each word near a keyword, where it is hidden and there is no keyword.

        `rescore` gives scores to some documents with other counts. All such words are hidden at once.
        """
        own = {keyword.term for keyword in self.keywords}
        columns = [place for place, term in enumerate(self.found.terms) if term not in own]
        if not columns:
            return {}
        terms, matches = [self.found.terms[place] for place in columns], self.found.matches
        without = np.full(len(self.tokens), True)
        without[self.held()[0]] = False
        near = sp.csr_array(matches[:, columns])
        rows = np.flatnonzero(without & (np.diff(near.indptr) > 0))
        others = without & (np.diff(near.indptr) == 0) & (self.tokens.lengths > 0)
        words = {word for term in terms for word in term}
        kept = np.where(self.tokens.words.is_in(list(words)).to_numpy(), -1, np.arange(len(self.tokens.words)))
        hidden = recolumn(self.counts[rows], kept, len(kept))
        places = places_among(rescore(rows, hidden), scores[others])
        return dict(zip(terms, beliefs(near[rows], places), strict=True))

    def suggestions(
        self, scores: NDArray[np.float64], decided: int, beliefs: Mapping[Term, Belief]
    ) -> tuple[Suggestion, ...]:
        """Words that the best documents hold: those that were decided positive, or 50, but at most a half.

        Where a keyword is ambiguous the ranking follows it, and the documents that hold another one are taken.
        """
        rows, holds = self.held()
        doubted = [one.term in beliefs and beliefs[one.term].verdict == AMBIGUOUS for one in self.keywords]
        best = np.zeros(len(scores), dtype=bool)
        if any(doubted) and not all(doubted):
            best[rows[np.asarray(holds[:, np.flatnonzero(~np.array(doubted))].sum(axis=1)).ravel() > 0]] = True
        else:
            best[np.argsort(-scores, kind="stable")[: min(max(decided, FEWEST_BEST), len(scores) // 2)]] = True
        terms = [*self.found.terms, *(keyword.term for keyword in self.keywords)]
        taken = {word for term in terms for word in term} | stop_word_set(self.settings.stop_words)
        return suggest_words(self.counts, best, self.tokens.words, taken)


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
    by_term = dict(zip(found.terms, found.documents.tolist(), strict=True))
    warn_of_missing(expanded, by_term, tokens, word_vectors, expanded=settings.gamma > 0)
    progress("Finding keywords", 1.0)
    return Sight(tokens, counts, word_vectors, expanded, found, settings)


def _stop_words(keywords: Sequence[Keyword], settings: Settings) -> frozenset[str]:
    stop_words = stop_word_set(settings.stop_words)
    if settings.stop_keywords == "keep":
        return stop_words - {" ".join(keyword.term) for keyword in keywords}
    return stop_words


def _replaced(texts: pl.Series, terms: Sequence[Term], by: str) -> pl.Series:
    """The texts with something else in place of every keyword, which `$0` stands for, as far as plain words go.

    >>> _replaced(pl.Series(["Ice-hockey, and more ice."]), [("ice", "hockey")], "").to_list()
    [', and more ice.']
    >>> _replaced(pl.Series(["Good, but good?"]), [("good",)], "not $0").to_list()
    ['not Good, but not good?']
    """
    patterns = [r"\b" + r"\W+".join(map(re.escape, term)) + r"\b" for term in sorted(terms, key=len)[::-1]]
    for start in range(0, len(patterns), PATTERNS):
        texts = texts.str.replace_all(f"(?i){'|'.join(patterns[start : start + PATTERNS])}", by)
    return texts
