"""What the ranking says of the keywords: whether each fits the others, and which words might be added."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.prepared import Prepared
from keysift.keywords.beliefs import AMBIGUOUS, ONLY, Belief, agreed, beliefs, places_among
from keysift.keywords.match import Matches
from keysift.keywords.suggestions import Suggestion, suggest_words
from keysift.learn.quality import Quality
from keysift.learn.scorer import ViewScorer
from keysift.text.counts import Term, recolumn
from keysift.text.languages import stop_word_set
from keysift.text.tokens import Tokens


def keyword_beliefs(matches: Matches, quality: Quality) -> dict[Term, Belief]:
    """How well each keyword's documents are found by the others; nothing is known of the only one."""
    found = agreed(beliefs(matches.occurrences, quality.belief, quality.config), quality.config)
    documents = np.bincount(matches.occurrences.indices, minlength=matches.occurrences.shape[1])
    if (documents > 0).sum() == 1:
        enough = documents >= quality.config.fewest_documents
        found = [replace(one, verdict=ONLY) if many else one for one, many in zip(found, enough, strict=True)]
    return dict(zip(matches.own_terms, found, strict=True))


def expansion_beliefs(
    prepared: Prepared, matches: Matches, scorer: ViewScorer, scores: NDArray[np.float64]
) -> dict[Term, Belief]:
    """How well documents that hold an expansion, but no keyword, are found while the expansion is masked.

    All expansions are masked at once. Sentence vectors stay as they are: encoding again would cost more than this is
    worth.
    """
    own = set(matches.own_terms)
    columns = [place for place, term in enumerate(matches.terms) if term not in own]
    if not columns:
        return {}
    vectors = prepared.documents().vectors
    terms = [matches.terms[place] for place in columns]
    without = np.full(len(prepared), True)
    without[matches.holders] = False
    without[matches.excluded] = False
    near = sp.csr_array(matches.found.matches[:, columns])
    rows = np.flatnonzero(without & (np.diff(near.indptr) > 0))
    others = without & (np.diff(near.indptr) == 0) & ~prepared.empty
    masked = mask_words(prepared.tokens, prepared.counts[rows], terms)
    readable = scorer.prepare(prepared.tokens, masked, None if vectors is None else vectors[rows])
    places = places_among(scorer.score(readable), scores[others])
    return dict(zip(terms, beliefs(near[rows], places, prepared.config), strict=True))


def mask_words(tokens: Tokens, counts: sp.csr_array, terms: Sequence[Term]) -> sp.csr_array:
    """The counts without every word of some terms.

    >>> import polars as pl
    >>> from keysift.text.counts import count_words
    >>> from keysift.text.tokens import tokenize
    >>> tokens = tokenize(pl.Series(["ice hockey and more ice"]))
    >>> mask_words(tokens, count_words(tokens), [("ice", "hockey")]).toarray().tolist()
    [[0.0, 0.0, 1.0, 1.0]]
    """
    words = {word for term in terms for word in term}
    kept: NDArray[np.int64] = np.where(tokens.words.is_in(list(words)).to_numpy(), -1, np.arange(len(tokens.words)))
    return recolumn(counts, kept, len(kept))


def suggestions(
    prepared: Prepared, matches: Matches, scores: NDArray[np.float64], decided: int, known: Mapping[Term, Belief]
) -> tuple[Suggestion, ...]:
    """Words that are over-represented in the best documents: those decided positive, and at least `fewest_best`.

    Never more than half of all. If a keyword is ambiguous, the ranking follows it too; then the documents that hold
    another keyword are taken instead.
    """
    rows, occurrences, config = matches.holders, matches.occurrences, prepared.config
    doubted = [term in known and known[term].verdict == AMBIGUOUS for term in matches.own_terms]
    best = np.zeros(len(scores), dtype=bool)
    if any(doubted) and not all(doubted):
        trusted = occurrences[:, np.flatnonzero(~np.array(doubted))]
        best[rows[np.asarray(trusted.sum(axis=1)).ravel() > 0]] = True
    else:
        number = min(max(decided, config.fewest_best), len(scores) // 2)
        best[np.argsort(-scores, kind="stable")[:number]] = True
    words = {word for term in (*matches.terms, *matches.own_terms) for word in term} | set(matches.own_words)
    taken = words | stop_word_set(prepared.settings.stop_words)
    return suggest_words(prepared.counts, best, prepared.tokens.words, taken, config)
