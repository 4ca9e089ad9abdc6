"""A seeded sample of a ranking, stratified by rank."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.audit.ranked_table import RankedTable
from keysift.audit.strata import Allocation, plan
from keysift.errors import SettingError

FEWEST = 8
"""Two documents a stratum; fewer tell nothing."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Some documents of a ranking, in random order, so that the order tells nothing."""

    ranking: RankedTable
    n: int
    seed: int
    k: int
    rows: NDArray[np.int64]
    """Where in the ranking each document of the sample is."""
    plan: Allocation

    @property
    def stratum_of_all(self) -> NDArray[np.int64]:
        """The stratum of each document of the ranking."""
        return np.repeat(np.arange(len(self.plan.sizes)), self.plan.sizes)

    @property
    def strata(self) -> NDArray[np.int64]:
        """The stratum of each document of the sample."""
        return self.stratum_of_all[self.rows]

    @property
    def tag(self) -> str:
        """Which ranking, and how the sample was drawn: enough to draw it again."""
        return f"keysift-{self.ranking.fingerprint}-n{self.n}-s{self.seed}-k{self.k}"


def draw(ranking: RankedTable, n: int = 100, *, seed: int = 0, k: int = 100) -> Sample:
    """Draw n documents; ranking, n, seed and k decide which.

    The first k are a stratum of their own, so that precision at k is known as well as can be.

    >>> import polars as pl
    >>> from keysift.audit.ranked_table import ranking_from
    >>> frame = pl.DataFrame({"rank": range(1, 41), "score": [-float(i) for i in range(40)],
    ...                       "decision": [1] * 10 + [0] * 30})
    >>> sample = draw(ranking_from(frame), 12, seed=3)
    >>> np.bincount(sample.strata).tolist(), sample.plan.sizes.tolist()
    ([3, 4, 3, 2], [5, 5, 15, 15])
    """
    for name, value, least in (("n", n, min(FEWEST, len(ranking))), ("seed", seed, 0), ("k", k, 1)):
        if value != int(value) or value < least:
            raise SettingError(f"{name} must be a whole number of {least} or more; got {value!r}.")
    parts = plan(len(ranking), ranking.above, n, k)
    rng = np.random.default_rng(seed)
    starts = np.cumsum(parts.sizes) - parts.sizes
    rows = [
        start + rng.choice(size, taken, replace=False)
        for start, size, taken in zip(starts, parts.sizes, parts.taken, strict=True)
    ]
    return Sample(ranking, int(n), int(seed), int(k), rng.permutation(np.concatenate(rows)), parts)
