"""The quality of each keyword without a label: whether it pulls in what the others believe in.

The place of a document is the share of documents without a keyword that it beats while its keywords are hidden and left
out of learning. Places of any documents are spread evenly, with mean 0.5; those of documents with a keyword that
belongs to the others are high. Their mean is the belief in the keyword, an AUC.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

__all__ = [
    "AMBIGUOUS",
    "FITS",
    "ONLY",
    "TOO_FEW",
    "UNCLEAR",
    "Belief",
    "Suggestion",
    "agreed",
    "beliefs",
    "places_among",
    "suggest_words",
]

FITS = "fits"
AMBIGUOUS = "ambiguous"
"""An everyday word, or one with another sense: it pulls in documents that the others do not believe in."""
TOO_FEW = "too few documents"
UNCLEAR = "unclear"
"""The keywords hardly believe in each other, so what the others make of one says little."""
ONLY = "only keyword"
"""There are no others: the belief is that of one half of its documents in the other half."""

FEWEST = 5
"""Fewer documents say nothing about a word."""
DEVIATION = 12**-0.5
"""Of one place, where places are spread evenly from 0 to 1; of the mean of n, divided by the root of n."""
AGREED = 0.6
"""Keywords whose beliefs have a lower median hardly believe in each other."""
LEAST_LIFT = 2.0
MOST_WORDS = 12


@dataclass(frozen=True)
class Belief:
    """What the others believe of a keyword."""

    value: float | None
    """The mean place of its documents, an AUC: 0.5 for any documents; None where none could be placed."""
    documents: int
    """How many documents could be placed."""
    verdict: str
    """`FITS`, `AMBIGUOUS`, `UNCLEAR`, `ONLY` or `TOO_FEW`."""


@dataclass(frozen=True)
class Suggestion:
    """A word that the best documents hold more often than the rest."""

    word: str
    lift: float
    """P(word | best) / P(word | rest), over documents; infinite where no other document holds it."""
    documents: int
    """How many of the best documents hold it."""

    @property
    def cell(self) -> str:
        """The suggestion as text.

        >>> Suggestion("goalie", 8.43, 120).cell, Suggestion("puck", np.inf, 7).cell
        ('goalie (8.4 times as often, in 120 documents)', 'puck (nowhere else, in 7 documents)')
        """
        often = f"{self.lift:.1f} times as often" if np.isfinite(self.lift) else "nowhere else"
        return f"{self.word} ({often}, in {self.documents:,} documents)"


def places_among(scores: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the others that each score beats; not a number where there are none.

    >>> places_among(np.array([0.5, 3.0]), np.array([2.0, 0.0, 1.0, 0.4])).tolist()
    [0.5, 1.0]
    """
    if not len(others):
        return np.full(len(scores), np.nan)
    return np.searchsorted(np.sort(others), scores) / len(others)


def beliefs(holds: sp.csr_array, places: NDArray[np.float64]) -> list[Belief]:
    """The belief in each keyword (column) that documents (rows) hold, from the documents' places.

    A keyword is ambiguous if its mean place m, with a standard error to its favour, is less than half as far above
    chance as the others' median M: m + 0.29 / sqrt(n) < 0.5 + (M - 0.5) / 2. Without others M is chance.

    >>> holds = sp.csr_array(np.repeat(np.eye(3), 20, axis=0))
    >>> places = np.repeat([0.9, 0.8, 0.5], 20)
    >>> [(belief.value, belief.verdict) for belief in beliefs(holds, places)]
    [(0.9, 'fits'), (0.8, 'fits'), (0.5, 'ambiguous')]
    """
    placed = ~np.isnan(places)
    held = sp.csr_array(holds[np.flatnonzero(placed)] > 0).astype(np.float64)
    documents = np.asarray(held.sum(axis=0)).ravel()
    means = np.divide(places[placed] @ held, documents, out=np.full(len(documents), np.nan), where=documents > 0)
    enough = documents >= FEWEST
    bars = 0.5 + (_median_of_others(np.where(enough, means, np.nan)) - 0.5) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        low = enough & (means + DEVIATION / np.sqrt(documents) < bars)
    verdicts = np.where(low, AMBIGUOUS, np.where(enough, FITS, TOO_FEW))
    return [
        Belief(round(float(mean), 12) if count else None, int(count), str(verdict))
        for mean, count, verdict in zip(means, documents, verdicts, strict=True)
    ]


def agreed(found: Sequence[Belief]) -> list[Belief]:
    """The same, but unclear all of them where keywords hardly believe in each other: a median below 0.6.

    >>> [one.verdict for one in agreed([Belief(0.65, 90, FITS), Belief(0.52, 80, FITS), Belief(0.42, 70, AMBIGUOUS)])]
    ['unclear', 'unclear', 'unclear']
    """
    values = [one.value for one in found if one.verdict != TOO_FEW and one.value is not None]
    if len(values) < 2 or np.median(values) >= AGREED:
        return list(found)
    return [one if one.verdict == TOO_FEW else replace(one, verdict=UNCLEAR) for one in found]


def _median_of_others(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each the median of the other ones that are known; chance where there are none.

    >>> _median_of_others(np.array([0.9, 0.8, np.nan])).tolist()
    [0.8, 0.9, 0.85...]
    >>> _median_of_others(np.array([0.9])).tolist()
    [0.5]
    """
    others = np.tile(means, (len(means), 1))
    np.fill_diagonal(others, np.nan)
    alone = np.isnan(others).all(axis=1)
    others[alone] = 0.5
    return np.asarray(np.nanmedian(others, axis=1)) if len(means) else means


def suggest_words(
    counts: sp.csr_array, best: NDArray[np.bool_], words: pl.Series, exclude: Collection[str] = ()
) -> tuple[Suggestion, ...]:
    """Words that tell the best documents from the rest, by the log-likelihood ratio G2 of the two shares.

    Words in at least 5 of the best and at least twice as often in them as in the rest; neither those in `exclude` nor
    numbers nor single letters.

    >>> counts = sp.csr_array(np.array([[1, 2, 1]] * 6 + [[1, 0, 0]] * 18 + [[0, 0, 1]] * 6))
    >>> suggest_words(counts, np.arange(30) < 6, pl.Series(["game", "puck", "goalie"]))
    (Suggestion(word='puck', lift=inf, documents=6), Suggestion(word='goalie', lift=4.0, documents=6))
    """
    inside, total = int(best.sum()), len(best)
    if not 0 < inside < total:
        return ()
    everywhere = np.bincount(counts.indices, minlength=counts.shape[1])
    within = np.bincount(counts[np.flatnonzero(best)].indices, minlength=counts.shape[1])
    beyond = everywhere - within
    with np.errstate(divide="ignore", invalid="ignore"):
        lift = (within / inside) / (beyond / (total - inside))
    wordlike = words.str.contains(r"\p{L}") & ~words.str.contains(r"^\p{Latin}$") & ~words.is_in(list(exclude))
    chosen = np.flatnonzero((within >= FEWEST) & (lift >= LEAST_LIFT) & wordlike.to_numpy())
    ratio = _likelihood_ratio(within[chosen], beyond[chosen], inside, total - inside)
    order = chosen[np.lexsort((chosen, -ratio))][:MOST_WORDS]
    return tuple(Suggestion(str(words[int(at)]), float(lift[at]), int(within[at])) for at in order)


def _likelihood_ratio(
    within: NDArray[np.int64], beyond: NDArray[np.int64], inside: int, outside: int
) -> NDArray[np.float64]:
    """G2 = 2 sum O log(O / E) over the four cells of held or not, best or not.

    >>> _likelihood_ratio(np.array([5, 10]), np.array([5, 0]), 10, 10).round(2).tolist()
    [0.0, 27.73]
    """
    observed = np.stack([within, beyond, inside - within, outside - beyond]).astype(np.float64)
    held, total = within + beyond, inside + outside
    expected = np.stack([held * inside, held * outside, (total - held) * inside, (total - held) * outside]) / total
    ratios = np.divide(observed, expected, out=np.ones_like(observed), where=observed > 0)
    return np.asarray(2 * (observed * np.log(ratios)).sum(axis=0))
