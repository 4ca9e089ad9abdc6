"""How far a review is, and what its last stop check proves."""

from dataclasses import dataclass

from keysift.decide.posterior import Interval
from keysift.review.heuristics import Said


@dataclass(frozen=True)
class CheckProgress:
    """A stop check, and what it proves of the documents that are unread now."""

    nth: int
    running: bool
    unread: int
    """When it began."""
    drawn: int
    relevant: int
    """Of those drawn, or unsure."""
    low: int
    """Relevant documents that are unread now, at least."""
    high: int
    """And at most."""
    recall: float
    """At least."""
    reached: bool
    more: int | None
    """About how many more to draw, if none is relevant."""


@dataclass(frozen=True)
class Progress:
    """How far a review is; everything but `records`, `empty` and `duplicates` counts units."""

    records: int
    empty: int
    duplicates: int
    """Documents that say the same as another and are not shown."""
    relevant: int
    irrelevant: int
    unsure: int
    labelled: int
    """Of these, answered in the table."""
    skipped: int
    unread: int
    """Neither answered nor skipped."""
    rules: Said
    """What rules of thumb say of the answers that were given while reading best first."""
    needed: int
    """About so many random documents a stop check begun now would take, if none of them is relevant."""
    expected: Interval
    """Relevant documents among those without an answer, by the prior of the model."""
    check: CheckProgress | None
    """The last stop check, unless documents were added since."""

    @property
    def read(self) -> int:
        """Units with an answer."""
        return self.relevant + self.irrelevant + self.unsure

    @property
    def left(self) -> int:
        """Units without."""
        return self.skipped + self.unread
