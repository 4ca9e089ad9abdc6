"""The quality of each keyword without labels: whether it finds what the other keywords look for.

The place of a document is the share of documents without a keyword that it outscores while its own keywords are masked
and left out of learning. The places of random documents are spread evenly, with mean 0.5; those of documents with a
keyword that belongs with the others are high. Their mean is the belief in the keyword, an AUC.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig

FITS = "fits"
AMBIGUOUS = "ambiguous"
"""An everyday word, or one with another sense: the other keywords do not find its documents."""
TOO_FEW = "too few documents"
UNCLEAR = "unclear"
"""The keywords hardly find each other's documents, so nothing can be said of a single one."""
ONLY = "only keyword"
"""There are no others: the belief is how well one half of its documents finds the other half."""
DEVIATION = 12**-0.5
"""The standard deviation of one place spread evenly from 0 to 1; for the mean of n places, divide by the root of n."""


@dataclass(frozen=True)
class Belief:
    """How well a keyword fits the others."""

    value: float | None
    """The mean place of its documents, an AUC: 0.5 for random documents; None where none could be placed."""
    documents: int
    """How many documents could be placed."""
    verdict: str
    """`FITS`, `AMBIGUOUS`, `UNCLEAR`, `ONLY` or `TOO_FEW`."""


def places_among(scores: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the others that each score beats; NaN where there are no others.

    >>> places_among(np.array([0.5, 3.0]), np.array([2.0, 0.0, 1.0, 0.4])).tolist()
    [0.5, 1.0]
    """
    if not len(others):
        return np.full(len(scores), np.nan)
    return np.searchsorted(np.sort(others), scores) / len(others)


def beliefs(occurrences: sp.csr_array, places: NDArray[np.float64], config: LearnConfig = DEFAULT) -> list[Belief]:
    """The belief in each keyword (column) that documents (rows) hold, from the documents' places.

    A keyword is ambiguous if its mean place m, with one standard error in its favour, is much less above chance than
    the others' median M: m + DEVIATION / sqrt(n) < 0.5 + (M - 0.5) ambiguous_below. Without others M is chance.

    >>> occurrences = sp.csr_array(np.repeat(np.eye(3), 20, axis=0))
    >>> places = np.repeat([0.9, 0.8, 0.5], 20)
    >>> [(belief.value, belief.verdict) for belief in beliefs(occurrences, places)]
    [(0.9, 'fits'), (0.8, 'fits'), (0.5, 'ambiguous')]
    """
    placed = ~np.isnan(places)
    held = sp.csr_array(occurrences[np.flatnonzero(placed)] > 0).astype(np.float64)
    documents = np.asarray(held.sum(axis=0)).ravel()
    means = np.divide(places[placed] @ held, documents, out=np.full(len(documents), np.nan), where=documents > 0)
    enough = documents >= config.fewest_documents
    bars = 0.5 + (_median_of_others(np.where(enough, means, np.nan)) - 0.5) * config.ambiguous_below
    with np.errstate(divide="ignore", invalid="ignore"):
        low = enough & (means + DEVIATION / np.sqrt(documents) < bars)
    verdicts = np.where(low, AMBIGUOUS, np.where(enough, FITS, TOO_FEW))
    return [
        Belief(round(float(mean), 12) if count else None, int(count), str(verdict))
        for mean, count, verdict in zip(means, documents, verdicts, strict=True)
    ]


def agreed(found: Sequence[Belief], config: LearnConfig = DEFAULT) -> list[Belief]:
    """The same beliefs; where the keywords hardly agree (a low median), every verdict becomes unclear.

    >>> [one.verdict for one in agreed([Belief(0.65, 90, FITS), Belief(0.52, 80, FITS), Belief(0.42, 70, AMBIGUOUS)])]
    ['unclear', 'unclear', 'unclear']
    """
    values = [one.value for one in found if one.verdict != TOO_FEW and one.value is not None]
    if len(values) < 2 or np.median(values) >= config.agreement:
        return list(found)
    return [one if one.verdict == TOO_FEW else replace(one, verdict=UNCLEAR) for one in found]


def _median_of_others(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each value the median of the other known ones; chance where there are none.

    >>> _median_of_others(np.array([0.9, 0.8, np.nan])).tolist()
    [0.8, 0.9, 0.85...]
    >>> _median_of_others(np.array([0.9])).tolist()
    [0.5]
    """
    ordered = np.sort(means[~np.isnan(means)])
    rank = np.searchsorted(ordered, means)  # NaN is after all others: none of them is left out
    own = rank < len(ordered)
    others = len(ordered) - own
    if not len(ordered):
        return np.full(len(means), 0.5)

    def of_others(place: NDArray[np.int64]) -> NDArray[np.float64]:
        return ordered[np.clip(place + (own & (place >= rank)), 0, len(ordered) - 1)]

    middle = (of_others((others - 1) // 2) + of_others(others // 2)) / 2
    return np.where(others > 0, middle, 0.5)
