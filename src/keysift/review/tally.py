"""What was said so far, counted: kept up to date answer by answer, so that ten thousand of them cost no time."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from keysift.audit.answers import NO, UNSURE, YES
from keysift.review.state import BEST, EXPLORE, LABEL, SAMPLE, SKIPPED, Given
from keysift.review.units import Units

ANSWERS = (None, NO, UNSURE, YES)
"""By their codes; of several answers within a unit the highest counts."""
NONE, IRRELEVANT, PERHAPS, RELEVANT = range(len(ANSWERS))


class Tally:
    """The answers of units, and those that were given while reading best first.

    >>> units = Units(np.array([0, 1, 0]), np.zeros(3, dtype=bool))
    >>> tally = Tally(units, {2: Given("n", "best", ""), 0: Given("y", "label", ""), 1: Given("skipped", "best", "")})
    >>> tally.codes.tolist(), tally.read, tally.skipped, tally.labelled
    ([3, 0, 0], [False], {1}, {0})
    >>> tally.add(1, Given("unsure", "best", ""))
    >>> tally.codes.tolist(), tally.skipped
    ([3, 2, 0], set())
    """

    def __init__(self, units: Units, said: Mapping[int, Given]) -> None:
        self._units = units
        self.codes: NDArray[np.int8] = np.zeros(units.documents, dtype=np.int8)
        """The answer of each unit, at the place of its first document; elsewhere none."""
        self.read: list[bool] = []
        """Whether relevant, in the order of reading; neither what was drawn at random nor who was unsure."""
        self.sampled: int | None = None
        """How many of these had been read when the last document was answered that was drawn for a stop check."""
        self.skipped: set[int] = set()
        """Units that were put aside, and have no answer."""
        self.labelled: set[int] = set()
        """Units with an answer of the table."""
        for place, given in said.items():
            self.add(place, given)

    def add(self, place: int, given: Given) -> None:
        """Count one more; where the document was skipped before, that is over."""
        if given.chosen == SAMPLE:
            self.sampled = len(self.read)
        elif given.chosen in (BEST, EXPLORE) and given.answer in (YES, NO):
            self.read.append(given.answer == YES)
        unit = self._units.of(place)
        if unit is None:
            return
        if given.answer != SKIPPED:
            self.codes[unit] = max(int(self.codes[unit]), ANSWERS.index(given.answer))
        if self.codes[unit]:
            self.skipped.discard(unit)
        else:
            self.skipped.add(unit)
        if given.chosen == LABEL:
            self.labelled.add(unit)

    def answer(self, place: int) -> str | None:
        """What was said of a document, or of one that says the same."""
        unit = self._units.of(place)
        return None if unit is None else ANSWERS[self.codes[unit]]

    def count(self, code: int) -> int:
        """How many units have an answer."""
        return int(np.count_nonzero(self.codes == code))
