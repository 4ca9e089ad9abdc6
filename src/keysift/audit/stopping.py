"""Whether one can stop reading below the cut: is recall at least 95 %, with 95 % confidence."""

from dataclasses import dataclass, replace

import numpy as np

from keysift.audit.answers import Audit
from keysift.audit.cells import Cells, split
from keysift.audit.estimates import CONFIDENCE, recall_bound

TARGET = 0.95
CUTS = 40
"""Lower cuts that are tried."""


@dataclass(frozen=True)
class Stopping:
    """Whether recall at the cut is proved to be at least the target."""

    target: float
    confidence: float
    bound: float
    """What recall is at least, one-sided."""
    more: int | None
    """If not yet: about how many more documents from below the cut would prove it, were none of them relevant; None
    where no number would."""
    lower_cut: int | None
    """If not yet: with about how many documents above the cut the answers of today prove it."""

    @property
    def reached(self) -> bool:
        """Whether one can stop."""
        return self.bound >= self.target


def may_stop(audit: Audit, target: float = TARGET, confidence: float = CONFIDENCE) -> Stopping:
    """The one-sided answer at the cut of the ranking, and what it would take if it is no."""
    bound = _bound(audit, audit.ranking.above, confidence)
    if bound >= target:
        return Stopping(target, confidence, bound, None, None)
    return Stopping(target, confidence, bound, _more(audit, target, confidence), _lower_cut(audit, target, confidence))


def _bound(audit: Audit, above: int, confidence: float) -> float:
    return recall_bound(*split(audit, np.arange(len(audit.ranking)) < above), confidence)


def _more(audit: Audit, target: float, confidence: float) -> int | None:
    inside, outside = split(audit, audit.ranking.decided)
    if not len(outside) or not len(inside):
        return None
    left = int((outside.size - outside.judged).sum())

    def enough(more: int) -> bool:
        return recall_bound(inside, _with_more(outside, more), confidence) >= target

    if not left or not enough(left):
        return None
    too_few, more = 0, left
    while more - too_few > max(1, more // 50):  # draws are random: no need to be exact
        middle = (too_few + more) // 2
        too_few, more = (too_few, middle) if enough(middle) else (middle, more)
    return more


def _with_more(outside: Cells, more: int) -> Cells:
    """More judged documents, from each stratum by its size, none of them relevant."""
    left = outside.size - outside.judged
    return replace(outside, judged=outside.judged + np.floor(more * left / left.sum()).astype(np.int64))


def _lower_cut(audit: Audit, target: float, confidence: float) -> int | None:
    """The smallest cut of some from which on all lower ones reach the target."""
    documents, above = len(audit.ranking), audit.ranking.above
    reached = None
    for cut in np.unique(np.linspace(above, documents, CUTS + 1).round().astype(int))[::-1]:
        if cut == documents or _bound(audit, int(cut), confidence) >= target:
            reached = int(cut)
        else:
            break
    return None if reached == documents else reached
