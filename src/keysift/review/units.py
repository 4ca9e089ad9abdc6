"""Documents that say the same are one unit: the first of them is shown, and an answer counts for all of them."""

import numpy as np
from numpy.typing import NDArray


class Units:
    """The units of a corpus, each named by the place of its first document; empty documents belong to none.

    >>> units = Units(np.array([0, 1, 0, 2]), np.array([False, False, False, True]))
    >>> units.first.tolist(), units.of(2), units.of(3)
    ([0, 1], 0, None)
    """

    def __init__(self, groups: NDArray[np.int64], empty: NDArray[np.bool_]) -> None:
        filled = np.flatnonzero(~empty)
        _, first, unit = np.unique(groups[filled], return_index=True, return_inverse=True)
        self.first: NDArray[np.int64] = np.sort(filled[first])
        """The first document of each."""
        self.documents = len(groups)
        self.empty = int(empty.sum())
        self._of = np.full(len(groups), -1, dtype=np.int64)
        self._of[filled] = filled[first][unit]

    def __len__(self) -> int:
        return len(self.first)

    def of(self, place: int) -> int | None:
        """The unit of a document."""
        unit = int(self._of[place])
        return None if unit < 0 else unit
