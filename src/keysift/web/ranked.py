"""The ranking that is shown, and what is made of it only once."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keysift.audit.answers import Audit
from keysift.audit.sampling import Sample
from keysift.pipeline import Learned
from keysift.review.state import SKIPPED
from keysift.reviewer import Reviewer
from keysift.session import Result
from keysift.web import schemas
from keysift.web.asking import audit_by, draw_to_ask
from keysift.web.memo import Memo
from keysift.web.opened import Opened
from keysift.web.refusals import NotReadyError
from keysift.web.texts import Marker


@dataclass(frozen=True, eq=False)
class Ranked:
    """A ranking of documents that are open, corrected by answers as they come."""

    opened: Opened
    version: int
    reviewer: Reviewer
    asked: schemas.Estimate | None
    """The prior as 20 answers would leave it."""
    redrawn: tuple[Learned, int] | None = None
    """How many documents of what was learned were above the cut when a sample of it was drawn before, if one was."""
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

    def drawn(self) -> tuple[Sample, NDArray[np.int64]]:
        """The sample of this ranking, and the places of its documents; the same until something is learned."""
        result, before = self.result, self.redrawn
        above = before[1] if before is not None and before[0] is result.learned else None
        return self.memo.once("drawn", result.learned, lambda: draw_to_ask(result, above, self.version))

    def asked_so_far(self) -> Audit:
        """What was said of the documents of that sample, if it is enough to tell something."""
        sample, places = self.drawn()
        return audit_by(sample, [self.answer(place) for place in places.tolist()])

    def decide_again(self) -> None:
        """Decide by the answers to a sample as before the project was left; refused where the ranking is another."""
        if not self.reviewer.drawn or not self.reviewer.drawn <= set(self.drawn()[1].tolist()):
            raise NotReadyError("The answers are to documents of another ranking.")
        audit = self.asked_so_far()
        self.reviewer.apply_audit(audit)
        self.keep_audit(audit)

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
