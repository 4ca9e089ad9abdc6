"""Words that might become keywords: over-represented in the best documents."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.text.scripts import SPACELESS_CHARACTERS


@dataclass(frozen=True)
class Suggestion:
    """A word that the best documents hold more often than the rest."""

    word: str
    lift: float
    """P(word | best) / P(word | rest), over documents; infinite where no other document holds it."""
    documents: int
    """How many of the best documents hold it."""


def suggest_words(
    counts: sp.csr_array,
    best: NDArray[np.bool_],
    words: pl.Series,
    exclude: Collection[str] = (),
    config: LearnConfig = DEFAULT,
) -> tuple[Suggestion, ...]:
    """Words that tell the best documents from the rest, by the log-likelihood ratio G2 of the two shares.

    A word must be in enough of the best documents, and at least `least_lift` times as frequent there as in the rest.
    Numbers, single letters and characters, and words in `exclude` are left out.

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
    wordlike = (
        words.str.contains(r"\p{L}")
        & ~words.str.contains(rf"^[\p{{Latin}}{SPACELESS_CHARACTERS}]$")
        & ~words.is_in(list(exclude))
    )
    chosen = np.flatnonzero((within >= config.fewest_documents) & (lift >= config.least_lift) & wordlike.to_numpy())
    ratio = _likelihood_ratio(within[chosen], beyond[chosen], inside, total - inside)
    order = chosen[np.lexsort((chosen, -ratio))][: config.most_suggestions]
    return tuple(Suggestion(str(words[int(at)]), float(lift[at]), int(within[at])) for at in order)


def _likelihood_ratio(
    within: NDArray[np.int64], beyond: NDArray[np.int64], inside: int, outside: int
) -> NDArray[np.float64]:
    """G2 = 2 sum O log(O / E) over the four cells: word present or absent, among the best or the rest.

    >>> _likelihood_ratio(np.array([5, 10]), np.array([5, 0]), 10, 10).round(2).tolist()
    [0.0, 27.73]
    """
    observed = np.stack([within, beyond, inside - within, outside - beyond]).astype(np.float64)
    held, total = within + beyond, inside + outside
    expected = np.stack([held * inside, held * outside, (total - held) * inside, (total - held) * outside]) / total
    ratios = np.divide(observed, expected, out=np.ones_like(observed), where=observed > 0)
    return np.asarray(2 * (observed * np.log(ratios)).sum(axis=0))
