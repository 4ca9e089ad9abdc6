"""What was found in each part of each stratum: all that an estimate needs of an audit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.audit.answers import Audit
from keysift.audit.strata import STRATA


@dataclass(frozen=True, eq=False)
class Cells:
    """Parts of the ranking, each with a simple random sample: its size, how many were judged, how many are relevant."""

    size: NDArray[np.int64]
    judged: NDArray[np.int64]
    relevant: NDArray[np.int64]
    guess: NDArray[np.float64]
    """The share of relevant documents to begin with, worth one document: a half, or that of the whole stratum where a
    stratum is split."""

    def __len__(self) -> int:
        return len(self.size)

    @property
    def total(self) -> float:
        """Estimated number of relevant documents: size times share found; where none was judged, times the guess."""
        share = np.divide(self.relevant, self.judged, out=self.guess.copy(), where=self.judged > 0)
        return float(self.size @ share)


def split(audit: Audit, inside: NDArray[np.bool_]) -> tuple[Cells, Cells]:
    """Each stratum cut in two: documents of the ranking that are `inside`, and the others.

    Within a stratum every document had the same chance, so given how many of the sample fall on each side, each side
    has a simple random sample of its own.
    """
    everywhere, here = audit.sample.stratum_of_all, audit.sample.strata[audit.known]
    rows, yes = audit.sample.rows[audit.known], audit.answers[audit.known] == 1

    def count(strata: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.bincount(strata, minlength=len(STRATA))

    overall = (count(here[yes]) + 0.5) / (count(here) + 1)
    sides = []
    for side in (inside, ~inside):
        size = count(everywhere[side])
        whole = size == audit.sample.plan.sizes
        judged, relevant = count(here[side[rows]]), count(here[side[rows] & yes])
        there = size > 0
        guess = np.where(whole, 0.5, overall)
        sides.append(Cells(size[there], judged[there], relevant[there], guess[there]))
    return sides[0], sides[1]
