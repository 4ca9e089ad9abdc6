"""The ranking that is shown, and what is made of it only once."""

from dataclasses import dataclass, field
from functools import cached_property

from keysift.audit.answers import Audit
from keysift.pipeline import Learned
from keysift.review.state import SKIPPED
from keysift.reviewer import Reviewer
from keysift.session import Result
from keysift.web import schemas
from keysift.web.memo import Memo
from keysift.web.opened import Opened
from keysift.web.texts import Marker


@dataclass(frozen=True, eq=False)
class Ranked:
    """A ranking of documents that are open, corrected by answers as they come."""

    opened: Opened
    version: int
    reviewer: Reviewer
    asked: schemas.Estimate | None
    """The prior as 20 answers would leave it."""
    memo: Memo = field(default_factory=Memo)
    audited: list[tuple[Learned, Audit]] = field(default_factory=list)
    """The last audit, and what it is of."""

    @property
    def result(self) -> Result:
        """The latest."""
        return self.reviewer.result

    @property
    def audit(self) -> Audit | None:
        """Answers to a random sample of this very ranking, if it was asked about."""
        known = self.audited
        return known[0][1] if known and known[0][0] is self.result.learned else None

    def keep_audit(self, audit: Audit) -> None:
        """Keep them until something else is learned."""
        self.audited[:] = [(self.result.learned, audit)]

    @cached_property
    def marker(self) -> Marker:
        """Marks its keywords."""
        return Marker.of(self.result.matches)

    def answer(self, document: int) -> schemas.Said | None:
        """What was said of a document, or of one that says the same."""
        given = self.reviewer.said_of(document)
        return None if given is None or given.answer == SKIPPED else given.answer  # type: ignore[return-value]

    def answers(self) -> dict[int, str]:
        """Every answer, by the place of its document."""
        return self.reviewer.given()
