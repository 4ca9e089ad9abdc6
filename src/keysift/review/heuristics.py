"""Known rules of thumb for when to stop reading, one small class each. None of them guarantees any recall.

InARow       so many irrelevant documents one after another
Knee         the curve of what is found has bent (Cormack and Grossman 2016)
Share        a share of all documents is read
TimeToCheck  reading best first no longer pays: begin the check of `keysift.review.stopping`, which does guarantee
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from keysift.review.stopping import TARGET


class Heuristic(Protocol):
    """A rule of thumb."""

    def when(self, relevant: NDArray[np.bool_], documents: int) -> int | None:
        """How many documents had been read when it first said stop; None if it has not said so yet.

        `relevant` are the answers in the order of reading, `documents` how many there are in the corpus.
        """
        ...


@dataclass(frozen=True)
class InARow:
    """So many irrelevant documents one after another."""

    row: int = 200

    def when(self, relevant: NDArray[np.bool_], documents: int) -> int | None:
        """How many were read when it first said stop.

        >>> InARow(2).when(np.array([True, False, True, False, False, False]), 10)
        5
        """
        return _first(_rows(relevant) >= self.row)


@dataclass(frozen=True)
class Knee:
    """The curve of what is found has bent: before the bend is found much more often than after it.

    Cormack and Grossman ("Engineering quality and reliability in technology-assisted review", 2016) stop where the
    slope before the bend is 156 - min(found, 150) times that after it, and 1,000 documents are read. As in their
    method, one looks whenever a tenth more was read.
    """

    fewest: int = 1000
    steepest: int = 156

    def when(self, relevant: NDArray[np.bool_], documents: int) -> int | None:
        """How many were read when it first said stop.

        >>> read = np.repeat([True, False], [200, 1800])
        >>> Knee().when(read, 5000), Knee(fewest=100).when(read, 5000)
        (1105, 232)
        """
        found = np.concatenate([[0], np.cumsum(relevant)])
        read, batch = 0, 1
        while (read := read + batch) <= len(relevant):
            if read >= self.fewest and self._bent(found[: read + 1]):
                return read
            batch += -(-batch // 10)
        return None

    def _bent(self, found: NDArray[np.int64]) -> bool:
        last = len(found) - 1
        above = found * last - np.arange(last + 1) * found[-1]
        bend = int(np.argmax(above))
        if not 0 < bend < last:
            return False
        before, after = found[bend] / bend, (1 + found[-1] - found[bend]) / (last - bend)
        return bool(before >= (self.steepest - min(int(found[-1]), self.steepest - 6)) * after)


@dataclass(frozen=True)
class Share:
    """A share of all documents is read, by default half of them."""

    share: float = 0.5

    def when(self, relevant: NDArray[np.bool_], documents: int) -> int | None:
        """How many were read when it first said stop.

        >>> Share(0.1).when(np.zeros(30, dtype=bool), 100), Share(0.5).when(np.zeros(30, dtype=bool), 100)
        (10, None)
        """
        wanted = int(np.ceil(self.share * documents))
        return wanted if wanted <= len(relevant) else None


@dataclass(frozen=True)
class TimeToCheck:
    """Reading best first no longer pays, so that a random sample of the rest is worth its price.

    If k relevant documents may stay unread among N, one comes in N / (k + 1) documents when it is just one too many. A
    row of irrelevant documents half as long, and of 50 at least, says that there are probably fewer. To begin too early
    or too late costs reading; the guarantee does not rest on it.
    """

    target: float = TARGET
    shortest: int = 50
    share: float = 0.5

    def when(self, relevant: NDArray[np.bool_], documents: int) -> int | None:
        """How many were read when it first said stop.

        >>> read = np.repeat([True, False], [40, 1000])
        >>> TimeToCheck().when(read, 2000), TimeToCheck().when(read, 20000), TimeToCheck(0.5).when(read, 2000)
        (320, None, 90)
        """
        unread = documents - np.arange(1, len(relevant) + 1)
        return _first(_rows(relevant) >= self.row(np.cumsum(relevant), unread))

    def row(self, found: NDArray[np.int64], unread: NDArray[np.int64]) -> NDArray[np.float64]:
        """So many irrelevant documents in a row are enough."""
        allowed = np.floor(found * (1 / self.target - 1) + 1e-9)
        enough: NDArray[np.float64] = np.maximum(self.shortest, self.share * unread / (allowed + 1))
        return enough


@dataclass(frozen=True)
class Said:
    """What the rules of thumb say of a review, now."""

    row: int
    """Irrelevant documents since the last relevant one."""
    in_a_row: bool
    knee: bool
    check: bool


def rules_of_thumb(relevant: NDArray[np.bool_], found: int, unread: int, since: int | None = None) -> Said:
    """What they say after these answers, in the order of reading.

    `found` are all relevant ones, however they were found, and `unread` is what is left. After a stop check one reads
    on: of the row only what came `since`, the last so many answers, makes it time for another.

    >>> rules_of_thumb(np.repeat([True, False], [40, 60]), found=40, unread=300)
    Said(row=60, in_a_row=False, knee=False, check=True)
    >>> rules_of_thumb(np.repeat([True, False], [40, 60]), found=40, unread=300, since=10).check
    False
    """
    row = int(_rows(relevant)[-1]) if len(relevant) else 0
    fresh = row if since is None else min(row, since)
    return Said(
        row=row,
        in_a_row=row >= InARow().row,
        knee=Knee().when(relevant, len(relevant) + unread) is not None,
        check=bool(fresh >= TimeToCheck().row(np.array(found), np.array(unread))),
    )


HEURISTICS: dict[str, Heuristic] = {"row": InARow(), "knee": Knee(), "half": Share(), "check": TimeToCheck()}
"""By their names."""


def _rows(relevant: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many irrelevant documents there are since the last relevant one."""
    places = np.arange(1, len(relevant) + 1)
    return places - np.maximum.accumulate(np.where(relevant, places, 0))


def _first(said: NDArray[np.bool_]) -> int | None:
    return int(np.argmax(said)) + 1 if said.any() else None
