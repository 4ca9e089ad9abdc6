"""A review in progress: what to read next, answers that are kept and learned, and how far it is.

A unit is a group of documents that say the same; the first of them is shown, and its answer counts for all. Empty
documents belong to no unit.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.audit.answers import Audit
from keysift.background import Background
from keysift.decide.cuts import Threshold
from keysift.decide.posterior import Interval
from keysift.decide.prior import Prior
from keysift.errors import KeysiftError, SettingError
from keysift.features.prepared import Progress as Told
from keysift.features.prepared import silent
from keysift.review.answers import check_answer
from keysift.review.heuristics import rules_of_thumb
from keysift.review.orders import Mix, Order
from keysift.review.progress import CheckProgress, Progress
from keysift.review.state import AUDIT, BEST, EXPLORE, GIVEN, SAMPLE, SKIPPED, Check, Given, State
from keysift.review.stopping import advise, draws_needed
from keysift.review.tally import IRRELEVANT, NONE, PERHAPS, RELEVANT, Tally
from keysift.review.units import Units
from keysift.review.waiting import waiting
from keysift.session import Result, Session

DUPLICATE = "duplicate"
BELOW = 0.949
"""The highest recall that is shown while 95 % is not proved."""


@dataclass(frozen=True)
class Shown:
    """The document that is read now."""

    place: int
    chosen: str


class Reviewer:
    """A session and a state brought together; within a `with` block, answers are learned in the background.

    With `drawn_wait`, answers to a sample that were the last when the project was left wait on, as `say_drawn` has it.
    """

    def __init__(
        self,
        session: Session,
        state: State,
        numbers: NDArray[np.int64],
        groups: NDArray[np.int64],
        order: Order | None = None,
        progress: Told = silent,
        drawn_wait: bool = False,
    ) -> None:
        self.state, self.numbers = state, numbers
        self._order = order or Mix()
        self._empty = session.prepared.empty
        self._units = Units(groups, self._empty)
        self._place_of = {int(number): place for place, number in enumerate(numbers)}
        self._said = {
            self._place_of[number]: given for number, given in state.answers().items() if number in self._place_of
        }
        self._tally = Tally(self._units, self._said)
        self._rng = np.random.default_rng([session.prepared.seed, len(self._said)])
        drawn = waiting(self._said) if drawn_wait else {}
        for place, given in self._said.items():
            if given.answer != SKIPPED and place not in drawn:
                session.answer(place, given.answer)
        if not session.settled:
            session.learn(progress)
        self._learning = Background(session)
        self._passed: set[int] = set()
        self._untold: dict[int, str] = {place: given.answer for place, given in drawn.items()}
        """Answers that are not learned yet."""
        self._current: Shown | None = None
        self._checks = state.checks()
        self._frames: dict[int, NDArray[np.int64]] = {}
        self.outdated = bool(self._checks) and self._check() is None
        """Whether documents were added since the last stop check, which then says nothing."""
        if self.outdated and self._checks[-1].running:
            self._end(self._checks[-1])

    def __enter__(self) -> "Reviewer":
        self._learning.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._learning.__exit__(*error)

    @property
    def result(self) -> Result:
        """The latest that was learned."""
        return self._learning.result

    @property
    def failed(self) -> KeysiftError | None:
        """Why the last answers could not be learned; they are saved all the same."""
        return self._learning.failed

    def wait(self) -> None:
        """Until every answer is learned."""
        self._learning.wait()

    def decide(self, *, prior: Prior | None = None, threshold: Threshold | None = None) -> Result:
        """Cut the ranking by another prior or threshold; answers that come keep to it."""
        return self._learning.decide(prior=prior, threshold=threshold)

    def say_drawn(self, place: int, answer: str) -> None:
        """Answer a document of a sample of the ranking; kept at once, but not learned before the next other answer.

        What is learned changes the ranking, of which the sample would then be none.
        """
        check_answer(answer)
        known = self._said.get(place)
        if known is None or known.answer != answer:  # what was said before the sample was drawn is learned already
            self._keep(Shown(place, AUDIT), answer)

    @property
    def drawn(self) -> set[int]:
        """The documents of a sample of the ranking whose answers are not learned yet."""
        return set(self._untold)

    def apply_audit(self, audit: Audit) -> Result:
        """Take prior and chances from answers to a random sample of the ranking."""
        return self._learning.apply_audit(audit)

    def given(self) -> dict[int, str]:
        """What was said, by the place of the document; without what was skipped, and what only says the same."""
        said = self._said.copy()  # who only looks does not wait for who answers
        return {place: given.answer for place, given in said.items() if given.answer != SKIPPED}

    def said_of(self, place: int) -> Given | None:
        """What was said of a document, or of one that says the same."""
        own = self._said.get(place)
        if own is None or own.answer == SKIPPED:
            same = self._tally.answer(place)
            return own if same is None else Given(same, DUPLICATE, "")
        return own

    def say(self, place: int, answer: str | None) -> None:
        """Answer any document, as one was read in the ranking; None takes an answer back."""
        if answer is None:
            self._forget(place)
        else:
            check_answer(answer)
            self._keep(Shown(place, GIVEN), answer)
        if self._current is not None and self._current.place == place:
            self._current = None

    def answers(self) -> list[Given | None]:
        """What was said of each document, or of one that says the same; None where nothing was."""
        return [self.said_of(place) for place in range(len(self.numbers))]

    @property
    def current(self) -> Shown | None:
        """The document to read now; None where none is left."""
        if self._current is None:
            self._current = self._next()
        return self._current

    def answer(self, answer: str) -> None:
        """Answer the document that is shown, with y, n or unsure: saved at once, learned soon."""
        check_answer(answer)
        self._say(answer)

    def skip(self) -> None:
        """Put the document aside; it comes back when nothing else is left."""
        shown = self._shown()
        if shown.chosen == SAMPLE:
            raise SettingError(
                "A document of a stop check cannot be skipped, or the sample would not be random; answer u if you are"
                " unsure, or end the check with c."
            )
        self._passed.add(shown.place)
        self._say(SKIPPED)

    def note(self, text: str) -> None:
        """Keep a note on the document that is shown; an empty one takes an earlier one away."""
        self.state.note(int(self.numbers[self._shown().place]), text)

    def back(self) -> int | None:
        """Take back the last answer or skip, and show its document again; None where there is none of this review."""
        own = [place for place, given in self._said.items() if given.chosen in (BEST, EXPLORE, SAMPLE)]
        if not own:
            return None
        place = own[-1]
        self._current = Shown(place, self._said[place].chosen)
        self._forget(place)
        return place

    def check(self) -> bool:
        """Start a stop check, or end the one that runs; whether one runs now.

        Its frame, all units without an answer, is drawn in random order once and for all: what is read of it is a
        random sample, whatever was read before and will be read after.
        """
        running = self._check()
        if running is not None and running.running:
            self._end(running)
        else:
            unread = self._units.first[self._tally.codes[self._units.first] == NONE]
            if not len(unread):
                raise SettingError("There is no unread document to draw from.")
            self.state.begin_check(np.random.default_rng().permutation(self.numbers[unread]))
            self._checks = self.state.checks()
        self._current = None
        check = self._check()
        return check is not None and check.running

    def progress(self) -> Progress:
        """How far the review is."""
        tally, units = self._tally, self._units
        irrelevant, unsure, relevant = (tally.count(code) for code in (IRRELEVANT, PERHAPS, RELEVANT))
        left = len(units) - irrelevant - unsure - relevant
        since = None if tally.sampled is None else len(tally.read) - tally.sampled
        check = self._check()
        return Progress(
            records=units.documents,
            empty=units.empty,
            duplicates=units.documents - units.empty - len(units),
            relevant=relevant,
            irrelevant=irrelevant,
            unsure=unsure,
            labelled=len(tally.labelled),
            skipped=len(tally.skipped),
            unread=left - len(tally.skipped),
            rules=rules_of_thumb(np.array(tally.read, dtype=bool), relevant, left, since),
            needed=draws_needed(left, relevant + unsure, 0, len(self._checks) + 1),
            expected=self._expected(relevant, left),
            check=None if check is None else self._proved(check),
        )

    def _forget(self, place: int) -> None:
        if place in self._said:
            self.state.take_back(int(self.numbers[place]))
            del self._said[place]
            self._tally = Tally(self._units, self._said)
            self._passed.discard(place)
            self._untold.pop(place, None)
            self._learning.tell(place, None)

    def _say(self, answer: str) -> None:
        self._keep(self._shown(), answer)
        self._current = None

    def _keep(self, shown: Shown, answer: str) -> None:
        self.state.answer(int(self.numbers[shown.place]), answer, shown.chosen)
        before = self._said.pop(shown.place, None)  # the last answer is the last of the dictionary
        given = self._said[shown.place] = Given(answer, shown.chosen, "")
        if before is None or before.answer == SKIPPED:
            self._tally.add(shown.place, given)
        else:
            self._tally = Tally(self._units, self._said)
        if shown.chosen == AUDIT:
            self._untold[shown.place] = answer
        elif answer != SKIPPED:
            for place, said in [*self._untold.items(), (shown.place, answer)]:
                self._learning.tell(place, said)
            self._untold.clear()

    def _shown(self) -> Shown:
        if self.current is None:
            raise SettingError("Every document is answered; there is none to answer.")
        return self.current

    def _next(self) -> Shown | None:
        check = self._check()
        if check is not None and check.running:
            frame = self._frame(check)
            drawn = self._drawn(check)
            if len(drawn) < len(frame):
                return Shown(int(frame[len(drawn)]), SAMPLE)
            self._end(check)
        read = np.ones(len(self.numbers), dtype=bool)
        read[self._units.first] = self._tally.codes[self._units.first] != NONE
        first = read.copy()
        first[list(self._tally.skipped)] = True
        if first.all():  # only skipped ones are left; each is shown once more
            first = read
            first[list(self._passed)] = True
        scores = self.result.learned.to_read
        chosen = self._order.next(scores, first, 1, self._rng)
        if not len(chosen):
            return None
        best = scores[chosen[0]] == scores[~first].max()
        return Shown(int(chosen[0]), BEST if best else EXPLORE)

    def _check(self) -> Check | None:
        """The last stop check, unless documents were added since: it says nothing of them."""
        last = self._checks[-1] if self._checks else None
        return None if last is None or last.last_document < int(self.numbers.max()) else last

    def _end(self, check: Check) -> None:
        self.state.end_check(check.number, len(self._drawn(check)))
        self._checks = self.state.checks()

    def _frame(self, check: Check) -> NDArray[np.int64]:
        """The units of a check in the order in which they are drawn; what is gone from the corpus is left out."""
        if check.number not in self._frames:
            places = (self._place_of.get(number) for number in check.frame.tolist())
            units = (None if place is None else self._units.of(place) for place in places)
            there = dict.fromkeys(unit for unit in units if unit is not None)
            self._frames[check.number] = np.array(list(there), dtype=np.int64)
        return self._frames[check.number]

    def _drawn(self, check: Check) -> NDArray[np.int64]:
        """The units that were drawn: the first of the frame, as far as all have an answer.

        Who answered them, and why, does not matter: that they are the first of a random order makes them a random
        sample. Once the check has ended no more are drawn, for what is read later is read for its score.
        """
        frame = self._frame(check)
        answered = self._tally.codes[frame] != NONE
        if check.drawn is not None:
            return np.asarray(frame[: check.drawn][answered[: check.drawn]])
        return frame if answered.all() else frame[: int(np.argmin(answered))]

    def _proved(self, check: Check) -> CheckProgress:
        """What a check proves; whoever is unsure might mean yes, so that unsure counts as relevant in it."""
        frame, drawn, codes = self._frame(check), self._drawn(check), self._tally.codes
        nth = 1 + sum(other.number < check.number for other in self._checks)
        relevant, inside, found = (int((said > IRRELEVANT).sum()) for said in (codes[drawn], codes[frame], codes))
        since = inside - relevant
        # What was found in the frame after the check, for its score, is no part of the sample, nor is it left.
        advice = advise(unread=len(frame), found=found - since, drawn=len(drawn), relevant=relevant, check=nth)
        low, high = max(0, advice.low - since), max(0, advice.high - since)
        recall = found / (found + high) if found + high else 1.0
        return CheckProgress(
            nth=nth,
            running=check.running,
            unread=len(frame),
            drawn=len(drawn),
            relevant=relevant,
            low=low,
            high=high,
            # Only the check itself may say that the target is reached: its confidence is spent on that.
            recall=max(recall, advice.recall) if advice.reached else min(recall, BELOW),
            reached=advice.reached,
            more=advice.more,
        )

    def _expected(self, found: int, left: int) -> Interval:
        """The prior says how many units are relevant in all; what is found is no longer left."""
        prior = self.result.decisions.prior.interval
        return Interval(*(min(max(share * len(self._units) - found, 0.0), left) for share in prior))
