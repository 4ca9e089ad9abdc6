"""Learning in a thread while a person reads: nobody waits for it."""

import threading
from contextvars import copy_context
from queue import SimpleQueue

from keysift.audit.answers import Audit
from keysift.decide.cuts import Threshold
from keysift.decide.prior import Prior
from keysift.errors import CALLER, KeysiftError, caller
from keysift.session import Result, Session

PATIENCE = 2.0
"""Seconds to wait at the end for a step that cannot be interrupted."""


class Background:
    """A session that has learned once and goes on with every answer it is told; from then on it belongs to the thread.

    >>> session = Session(["the hockey game", "a tax law", "a hockey team", "the court"], encoder=None)
    >>> _ = session.keywords("hockey")
    >>> _ = session.learn()
    >>> with Background(session) as learning:
    ...     learning.tell(2, "n")
    ...     learning.wait()
    ...     learning.result.ranking.order[:1].tolist(), learning.result.learned.answers.tolist()
    ([0], [-1, -1, 0, -1])
    """

    def __init__(self, session: Session) -> None:
        self.result: Result = session.result
        """The latest there is."""
        self.failed: KeysiftError | None = None
        """Why the last answers could not be learned."""
        self._session = session
        self._learning = threading.Lock()
        self._told: SimpleQueue[tuple[int, object] | None] = SimpleQueue()
        self._idle = threading.Condition()
        self._left = 0
        context = copy_context()
        context.run(CALLER.set, caller())  # no frame of the thread tells whom to warn
        self._thread = threading.Thread(target=context.run, args=(self._run,), daemon=True, name="keysift-learn")

    def __enter__(self) -> "Background":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._told.put(None)
        self._thread.join(PATIENCE)

    def tell(self, document: int, answer: object) -> None:
        """Learn an answer soon; None, as for unsure, takes an earlier one back."""
        with self._idle:
            self._left += 1
        self._told.put((document, answer))

    def decide(self, *, prior: Prior | None = None, threshold: Threshold | None = None) -> Result:
        """Cut the ranking by another prior or threshold; what is learned from now on keeps to it."""
        with self._learning:
            self._session.decide(prior=prior, threshold=threshold)
            self.result = self._session.result
        return self.result

    def apply_audit(self, audit: Audit) -> Result:
        """Take prior and chances from answers to a random sample of the ranking."""
        with self._learning:
            self._session.apply_audit(audit)
            self.result = self._session.result
        return self.result

    def wait(self) -> None:
        """Until everything is learned."""
        with self._idle:
            self._idle.wait_for(lambda: not self._left)

    def _run(self) -> None:
        while (told := self._told.get()) is not None:
            answers = [told]
            while not self._told.empty():  # whoever reads fast is learned from at once, not one by one
                if (told := self._told.get()) is None:
                    return
                answers.append(told)
            try:
                with self._learning:
                    for document, answer in answers:
                        self._session.answer(document, answer)
                    self._session.learn()
                    self.result, self.failed = self._session.result, None
            except KeysiftError as error:
                self.failed = error
            finally:
                with self._idle:
                    self._left -= len(answers)
                    self._idle.notify_all()
