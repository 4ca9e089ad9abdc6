r"""How soon a way of reading finds what there is: the recall curve, the area lost above it, and the work saved.

With N documents, R of them relevant, and f(i) relevant ones among the first i that were read,

    loss = (sum_i min(i, R) - sum_i f(i)) / (R (N - R)),

the area between the best curve and this one, over that between the best and the worst: 0 where all relevant documents
come first, 1 where they come last, and 1 - AUC for a ranking without ties. It is the loss of ASReview. Work saved over
sampling at 95 % recall is

    0.95 - i / N,

where i is how many documents were read when 95 % of the relevant ones, rounded up, had been found.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keysift.errors import InputError


@dataclass(frozen=True, eq=False)
class RecallCurve:
    """One way of reading all documents.

    >>> curve = RecallCurve.of(np.array([True, True, False, True]))
    >>> curve.found.tolist(), round(curve.loss, 3), curve.work_saved(0.5)
    ([1.0, 2.0, 2.0, 3.0], 0.333, 0.0)
    """

    found: NDArray[np.float64]
    """Relevant documents after each that was read."""

    def __post_init__(self) -> None:
        if not len(self.found) or not 0 < self.found[-1] < len(self.found):
            raise InputError(
                "A recall curve needs documents that are relevant and some that are not; got"
                f" {0 if not len(self.found) else int(self.found[-1]):,} relevant ones of {len(self.found):,}."
            )

    @classmethod
    def of(cls, relevant: NDArray[np.bool_]) -> "RecallCurve":
        """From which documents were relevant, in the order in which they were read."""
        return cls(np.cumsum(relevant, dtype=np.float64))

    @classmethod
    def expected(cls, documents: int, relevant: int) -> "RecallCurve":
        """What to expect of reading at random.

        >>> RecallCurve.expected(4, 2).found.tolist(), RecallCurve.expected(4, 2).loss
        ([0.5, 1.0, 1.5, 2.0], 0.5)
        """
        return cls(np.linspace(relevant / documents, relevant, documents, dtype=np.float64))

    @property
    def relevant(self) -> int:
        """How many there are."""
        return round(float(self.found[-1]))

    @property
    def recall(self) -> NDArray[np.float64]:
        """The share of the relevant documents that were found, after each that was read."""
        return np.asarray(self.found / self.found[-1])

    @cached_property
    def loss(self) -> float:
        """The area lost above the curve: 0 is perfect."""
        documents, relevant = len(self.found), self.relevant
        best = np.minimum(np.arange(1, documents + 1), relevant).sum()
        return float((best - self.found.sum()) / (relevant * (documents - relevant)))

    def read_for(self, recall: float = 0.95) -> int:
        """How many documents are read when this share of the relevant ones, rounded up, is found.

        >>> RecallCurve.of(np.array([True, False, True, False])).read_for(0.5)
        1
        """
        wanted = int(np.ceil(recall * self.relevant - 1e-9))
        return int(np.searchsorted(self.found, wanted - 1e-9) + 1)

    def work_saved(self, recall: float = 0.95) -> float:
        """The share of all documents that need not be read, over that which reading at random would save."""
        return recall - self.read_for(recall) / len(self.found)
