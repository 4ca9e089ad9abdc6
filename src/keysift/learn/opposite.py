"""The opposite of the keywords, for sentence vectors: "not great" shows the way from good to bad.

Keywords that judge have an opposite, and documents on the other side rarely spell it out. An encoder knows it all the
same: the mean step from negated copies of documents to the documents themselves is a direction of its own. It counts as
far as it leads the way in which documents with a keyword differ from all, by the squared cosine of the two. Topics
have no opposite, and there it does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.features.prepared import Prepared, Progress
from keysift.keywords.match import Matches
from keysift.text.counts import Term
from keysift.text.prefixes import pattern_of

PATTERNS = 100
"""Keywords looked for at once: a pattern of too many phrases grows too large."""


@dataclass(frozen=True, eq=False)
class Opposite:
    """The direction from negated to plain copies."""

    direction: NDArray[np.float64]
    """Over sentence vectors."""
    cosine: float
    """With the way in which documents with a keyword differ from all."""


NONE = Opposite(np.zeros(0), 0.0)
"""Nothing could be negated."""


def find_opposite(prepared: Prepared, matches: Matches, strength: NDArray[np.float64], progress: Progress) -> Opposite:
    """Negate the keywords in some documents and see where that leads; needs an encoder that can read changed texts."""
    vectors, negation = prepared.documents().vectors, prepared.negation
    if vectors is None or not negation:
        return NONE
    known = ~np.isnan(vectors[:, 0])
    held = strength * known
    if not held.any():
        return NONE
    rows = matches.holders
    most = prepared.config.most_negated
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), most)).astype(int))] if len(rows) else rows
    plain = prepared.texts.gather(rows).str.slice(0, prepared.config.negated_characters)
    negated = replaced(plain, matches.own_terms, f"{negation.strip().replace('$', '$$')} $0")
    changed = (plain != negated).to_numpy()  # keywords far down in a long document, or in another form, are not found
    if changed.sum() < prepared.config.fewest_negated:
        return NONE
    both = pl.concat([plain.filter(pl.Series(changed)), negated.filter(pl.Series(changed))])
    encoded = prepared.encode(both, progress)
    if encoded is None:
        return NONE
    half = len(both) // 2
    step = (encoded[:half] - encoded[half:]).mean(axis=0, dtype=np.float64)
    lead = held @ np.where(known[:, None], vectors, 0.0) / held.sum() - _mean(vectors, known, prepared.weights)
    length = float(np.linalg.norm(step) * np.linalg.norm(lead))
    return Opposite(step, float(step @ lead) / length) if length > 0 else NONE


def _mean(
    vectors: NDArray[np.float32], known: NDArray[np.bool_], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if weights is None:
        return np.asarray(vectors[known].mean(axis=0, dtype=np.float64))
    return np.asarray(np.average(vectors[known].astype(np.float64), axis=0, weights=weights[known]))


def replaced(texts: pl.Series, terms: Sequence[Term], by: str) -> pl.Series:
    """The texts with `by` in place of every keyword that plain words can find; `$0` in it stands for the keyword.

    >>> replaced(pl.Series(["Good, but good?"]), [("good",)], "not $0").to_list()
    ['not Good, but not good?']
    """
    patterns = [r"\b" + r"\W+".join(map(pattern_of, term)) + r"\b" for term in sorted(terms, key=len)[::-1]]
    for start in range(0, len(patterns), PATTERNS):
        texts = texts.str.replace_all(f"(?i){'|'.join(patterns[start : start + PATTERNS])}", by)
    return texts
