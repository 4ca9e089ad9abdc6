"""A review that is finished, read again up to where a rule says stop: what it costs, and what is missed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.review.heuristics import Heuristic, TimeToCheck
from keysift.review.stopping import CONFIDENCE, TARGET, draws_needed


@dataclass(frozen=True)
class Stopped:
    """Where a review stopped."""

    read: int
    found: int
    relevant: int
    """How many there are."""

    @property
    def recall(self) -> float:
        """The share of the relevant documents that was found."""
        return self.found / self.relevant if self.relevant else 1.0


def stop_by_check(
    relevant: NDArray[np.bool_],
    rng: np.random.Generator,
    begin: Heuristic | None = None,
    target: float = TARGET,
    confidence: float = CONFIDENCE,
) -> Stopped:
    """Read best first until it is time to check, then at random until the target is proved.

    `relevant` are the labels in the order of reading; the rest of that order is where the check draws from. A check
    that is begun is ended: to go back to reading best first whenever it finds something never cost less on the tasks of
    benchmarks/review/stopping.py, since the next check has less of alpha and begins with no draw.

    >>> relevant = np.repeat([True, False], [400, 1000])
    >>> stop_by_check(relevant, np.random.default_rng(0))
    Stopped(read=593, found=400, relevant=400)
    """
    documents = len(relevant)
    first = (begin or TimeToCheck(target)).when(relevant, documents)
    first = documents if first is None else first
    found, unread = int(relevant[:first].sum()), documents - first
    drawn = np.sort(rng.permutation(unread)[: int(relevant[first:].sum())])  # when the relevant ones are drawn
    edges = np.concatenate([[0], drawn + 1, [unread + 1]])
    for more in range(len(drawn) + 1):
        enough = max(int(edges[more]), draws_needed(unread, found, more, 1, target, confidence))
        if enough < edges[more + 1]:
            return Stopped(first + enough, found + more, found + len(drawn))
    raise AssertionError("a check ends at the latest when everything is drawn")


def stop_by_heuristic(relevant: NDArray[np.bool_], heuristic: Heuristic) -> Stopped:
    """Read in one order until a rule of thumb says stop, or to the end.

    >>> from keysift.review.heuristics import InARow
    >>> stop_by_heuristic(np.array([True, False, False, True]), InARow(2))
    Stopped(read=3, found=1, relevant=2)
    """
    read = heuristic.when(relevant, len(relevant))
    read = len(relevant) if read is None else read
    return Stopped(read, int(relevant[:read].sum()), int(relevant.sum()))
