"""Documents that say the same are one unit: the first of them is shown, and an answer counts for all of them."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from keysift.audit.answers import NO, UNSURE, YES
from keysift.review.state import SKIPPED, Given

STRONGEST = (YES, UNSURE, NO)
"""Where documents of a unit were answered differently, the unit has the first of these."""


class Units:
    """The units of a corpus, each named by the place of its first document; empty documents belong to none.

    >>> units = Units(np.array([0, 1, 0, 2]), np.array([False, False, False, True]))
    >>> units.first.tolist(), units.of(2), units.of(3)
    ([0, 1], 0, None)
    >>> units.answers({2: Given("n", "best", ""), 0: Given("y", "best", ""), 1: Given("skipped", "best", "")})
    {0: 'y'}
    """

    def __init__(self, groups: NDArray[np.int64], empty: NDArray[np.bool_]) -> None:
        filled = np.flatnonzero(~empty)
        _, first, unit = np.unique(groups[filled], return_index=True, return_inverse=True)
        self.first: NDArray[np.int64] = np.sort(filled[first])
        """The first document of each."""
        self._of = np.full(len(groups), -1, dtype=np.int64)
        self._of[filled] = filled[first][unit]

    def __len__(self) -> int:
        return len(self.first)

    def of(self, place: int) -> int | None:
        """The unit of a document."""
        unit = int(self._of[place])
        return None if unit < 0 else unit

    def answer(self, unit: int, said: Mapping[int, Given]) -> str | None:
        """What was said of a unit; None where nothing was."""
        given = (said.get(place) for place in np.flatnonzero(self._of == unit).tolist())
        answers = [one.answer for one in given if one is not None and one.answer != SKIPPED]
        return min(answers, key=STRONGEST.index, default=None)

    def answers(self, said: Mapping[int, Given]) -> dict[int, str]:
        """What was said of each unit that has an answer."""
        found: dict[int, str] = {}
        for place, given in said.items():
            unit = self.of(place)
            if given.answer != SKIPPED and unit is not None:
                found[unit] = min(given.answer, found.get(unit, given.answer), key=STRONGEST.index)
        return found
