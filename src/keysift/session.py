"""A corpus that stays ready while keywords, cuts and rankings change."""

import threading
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.answering import learn_answers
from keysift.audit.answers import Audit
from keysift.audit.audited import audited_decisions
from keysift.comparison import Comparison, compare, with_reasons
from keysift.config import LearnConfig
from keysift.decide.cuts import Threshold, cut_rule
from keysift.decide.decisions import cut_again
from keysift.decide.prior import Prior, PriorEstimate, check_prior
from keysift.errors import CALLER, CancelledError, SettingError, caller
from keysift.features.prepared import Prepared, Progress, silent
from keysift.pipeline import Decisions, Learned, Matches, Ranking, decide, learn, match, prepare, rank
from keysift.review.answers import check_answer, check_document, spoken
from keysift.review.fingerprints import fingerprints
from keysift.review.orders import Mix, Order, check_count
from keysift.review.state import GIVEN, SKIPPED, State
from keysift.risk.losses import Loss
from keysift.settings import Settings
from keysift.vectors.words import WordVectors

if TYPE_CHECKING:
    from keysift.classifier import KeywordClassifier

__all__ = ["Session"]

PATIENCE = 0.1
"""Seconds between two looks at whether to cancel."""


@dataclass(frozen=True, eq=False)
class Result:
    """One list of keywords, learned and decided."""

    matches: Matches
    learned: Learned
    decisions: Decisions
    ranking: Ranking


class Session:
    """Documents made ready once; then keywords may change as often as you like.

    The arguments are those of `KeywordClassifier`; `documents` may also be what `keysift.pipeline.prepare` gave. With
    `state`, a project folder as `keysift review` has it, its answers are there from the start, and new ones are kept.

    >>> documents = ["the goalie saved the hockey game", "parliament passed the tax law",
    ...              "a baseball season of home runs", "the court heard the tax case"]
    >>> session = Session(documents, prior=0.5)
    >>> session.keywords(["hockey"]).holders.tolist()
    [0]
    >>> _ = session.keywords(["hockey", "baseball"])
    >>> _ = session.learn()
    >>> session.page(0, 2)["document"].to_list()
    [2, 0]
    >>> session.decide(threshold=("top", 1)).expected.count
    1

    Answers correct what the keywords taught; each is learned in a moment.

    >>> session.answer(2, "n")
    >>> session.answer(0, "y")
    >>> session.learn().page(0, 1)["document"].to_list()
    [0]
    """

    def __init__(
        self,
        documents: Any,
        *,
        prior: Prior = "estimate",
        threshold: Threshold = "prior",
        vectors: str | Path | WordVectors = "glove-6b-50d",
        views: Any = "auto",
        encoder: Any = "minilm",
        loss: str | Loss = "sigmoid",
        random_state: int | np.random.RandomState | None = 0,
        settings: Settings | None = None,
        learning: LearnConfig | None = None,
        state: str | Path | None = None,
        progress: Progress = silent,
    ) -> None:
        self._arguments: dict[str, Any] = {
            "vectors": vectors,
            "views": views,
            "encoder": encoder,
            "random_state": random_state,
            "settings": settings,
            "learning": learning,
        }
        self._loss = loss
        self._prior: Prior | PriorEstimate = check_prior(prior)
        self._rule = cut_rule(threshold)
        self.prepared: Prepared = (
            documents if isinstance(documents, Prepared) else prepare(documents, progress=progress, **self._arguments)
        )
        self._keywords: Any = None
        self._matches: Matches | None = None
        self._result: Result | None = None
        self._before: Result | None = None
        self._answers: dict[int, int | None] = {}
        self._state = None if state is None else Path(state)
        self._numbers = self._restore() if self._state is not None else None
        self._rng = np.random.default_rng(self.prepared.seed)

    @property
    def result(self) -> Result:
        """What was learned last."""
        if self._result is None:
            raise SettingError("Nothing was learned yet; call keywords, then learn.")
        return self._result

    @property
    def ranking(self) -> Ranking:
        """The ranking that was learned last, cut as decided last."""
        return self.result.ranking

    def keywords(self, keywords: Any) -> Matches:
        """Choose keywords and see what they find; nothing is learned before `learn`."""
        matches = match(self.prepared, keywords)
        self._keywords, self._matches = keywords, matches
        return matches

    @property
    def answers(self) -> dict[int, int | None]:
        """What was said of each document: 1 relevant, 0 not, None unsure."""
        return dict(self._answers)

    @property
    def settled(self) -> bool:
        """Whether the last result is learned from these keywords and answers."""
        result = self._result
        if result is None or result.matches is not self._matches:
            return False
        said, learned = self._said(), result.learned.answers
        return said is learned if said is None or learned is None else np.array_equal(said, learned)

    def answer(self, document: int, answer: object) -> None:
        """Say of a document, by its place from 0 on, whether it is relevant: "y", "n" or "unsure"; or 1, 0 or None.

        A second answer replaces the first; with a `state` it is on the disk at once. Nothing is learned before `learn`;
        from "unsure" nothing ever is.
        """
        place, said = check_document(document, len(self.prepared)), check_answer(answer)
        if self._state is not None and self._numbers is not None:
            with State.open(self._state, new=False) as state:
                state.answer(int(self._numbers[place]), spoken(said), GIVEN)
        self._answers[place] = said

    def _restore(self) -> NDArray[np.int64]:
        """The numbers of the documents in the project, whose answers are those of this session from now on."""
        assert self._state is not None
        with State.open(self._state) as state:
            numbers = state.corpus(fingerprints(self.prepared.texts), [""] * len(self.prepared), "the documents")
            said = state.answers()
        for place, number in enumerate(numbers.tolist()):
            if number in said and said[number].answer != SKIPPED:
                self._answers[place] = check_answer(said[number].answer)
        return numbers

    def next(self, n: int = 1, order: Order | None = None) -> list[int]:
        """Documents to read next, of those that have no answer yet; by default best first, with a little exploration.

        Answers given in such an order are no random sample: prior and intervals do not count them.
        """
        read = np.zeros(len(self.prepared), dtype=bool)
        read[list(self._answers)] = True
        chosen = (order or Mix()).next(self.result.learned.to_read, read, check_count(n), self._rng)
        return [int(document) for document in chosen]

    def learn(
        self,
        progress: Progress = silent,
        cancel: Callable[[], bool] | threading.Event | None = None,
        *,
        afresh: bool = False,
    ) -> Ranking:
        """Learn from keywords and answers; the last result stays until the new one is whole.

        Where the keywords are those of the last result, only the answers are learned, in a moment: what is chosen
        without labels stays as it was. `afresh` learns everything again, with the answers among the keywords' sets.

        Answers never narrow the prior and the intervals: they come from a reading order, which is no random sample.

        `cancel`, an event or a function, is looked at ten times a second and between two steps: where it is set or
        true, `CancelledError` is raised at once and the last result stays.
        """
        matches = self._matches
        if matches is None:
            raise SettingError("There is no keyword to learn from; call keywords first.")
        answers = self._said()
        last = None if self._result is None or self._result.matches is not matches else self._result.learned

        def work(check: Callable[[], None]) -> Result:
            def told(stage: str, done: float) -> None:
                check()
                progress(stage, done)

            learned = last
            if learned is None or afresh:
                sets = answers if afresh else None
                learned = learn(self.prepared, matches, loss=self._loss, answers=sets, progress=told, check=check)
            if not afresh and (answers is not None or learned.answers is not None):
                check()
                learned = learn_answers(self.prepared, matches, learned, answers)
            decisions = decide(learned, self._prior, self._rule)
            return Result(matches, learned, decisions, rank(self.prepared, matches, learned, decisions))

        result = work(lambda: None) if cancel is None else _cancellable(work, cancel)
        self._before, self._result = self._result, result
        return result.ranking

    @property
    def _plain_prior(self) -> Prior:
        """As a classifier takes it; one from answers is a number to it."""
        return self._prior.value if isinstance(self._prior, PriorEstimate) else self._prior

    def _said(self) -> NDArray[np.int8] | None:
        """The answers, one a document, -1 where there is none; None where there is none at all."""
        said = {document: answer for document, answer in self._answers.items() if answer is not None}
        if not said:
            return None
        answers = np.full(len(self.prepared), -1, dtype=np.int8)
        answers[list(said)] = list(said.values())
        return answers

    def decide(self, *, prior: Prior | None = None, threshold: Threshold | None = None) -> Decisions:
        """Cut the ranking by another prior or threshold; nothing is learned again, and the next `learn` keeps to it."""
        result = self.result
        rule = self._rule if threshold is None else cut_rule(threshold)
        if prior is None and result.decisions.prior.basis == "audit":  # what answers have told of the chances stays
            return self._take(cut_again(result.decisions, result.learned.scored, rule))
        asked = self._prior if prior is None else check_prior(prior)
        decisions = decide(result.learned, asked, rule)
        self._prior = asked
        return self._take(decisions)

    def apply_audit(self, audit: Audit) -> Decisions:
        """Take prior and chances from answers to a random sample of the ranking; what is learned later keeps the prior.

        The sample is one of the scores of the last result (`keysift.audit.asking.sample_to_ask`).
        """
        decisions = audited_decisions(audit, self.result.decisions, self._rule)
        self._prior = decisions.prior
        return self._take(decisions)

    def use_prior(self, prior: PriorEstimate) -> None:
        """Decide from now on with a prior that an audit has told."""
        self._prior = prior

    def _take(self, decisions: Decisions) -> Decisions:
        result = self.result
        ranking = rank(self.prepared, result.matches, result.learned, decisions)
        self._rule = decisions.rule
        self._result = replace(result, decisions=decisions, ranking=ranking)
        return decisions

    def page(self, start: int = 0, n: int = 20) -> pl.DataFrame:
        """So many documents from `start` on, best first, with reasons and texts."""
        page = self.ranking.page(start, n)
        return page.with_columns(self.prepared.texts.gather(page["document"]).alias("text"))

    def compare(self, k: int = 100) -> Comparison:
        """What changed from the result before the last to the last: the top k, the positives, and why."""
        if self._before is None:
            raise SettingError("There is only one result so far; learn from other keywords to compare the two.")
        before, after = self._before.ranking, self.ranking
        texts = self.prepared.texts
        first, second = (one.outline().with_columns(texts.gather(one.order).alias("text")) for one in (before, after))
        return with_reasons(compare(first, second, k), before, after)

    def classifier(self) -> "KeywordClassifier":
        """The last result as a fitted classifier, to score new documents or to save."""
        from keysift.classifier import KeywordClassifier  # and with it scikit-learn, which learning does without

        result = self.result
        clf = KeywordClassifier(
            result.matches.typed,
            prior=self._plain_prior,
            threshold=self._rule.plain,
            loss=self._loss,
            **self._arguments,
        )
        return clf.adopt(self.prepared, result.matches, result.learned, result.decisions)


def _cancellable(work: Callable[[Callable[[], None]], Result], cancel: Callable[[], bool] | threading.Event) -> Result:
    """Do the work in a thread, so that to cancel need not wait for a step that cannot be interrupted.

    The thread that is left behind ends at its next check, and what it made is dropped.
    """
    asked = cancel.is_set if isinstance(cancel, threading.Event) else cancel
    stop = threading.Event()
    found: list[Result] = []
    failed: list[BaseException] = []

    def check() -> None:
        if stop.is_set() or asked():
            raise CancelledError

    def run() -> None:
        try:
            found.append(work(check))
        except BaseException as error:  # handed to the caller below
            failed.append(error)

    context = copy_context()
    context.run(CALLER.set, caller())  # no frame of the thread tells whom to warn
    thread = threading.Thread(target=context.run, args=(run,), daemon=True, name="keysift-learn")
    thread.start()
    try:
        while thread.is_alive():
            if asked():
                raise CancelledError
            thread.join(PATIENCE)
    finally:
        stop.set()
    if failed:
        raise failed[0]
    return found[0]
