"""Long work in the background, one job at a time, with progress and a way to stop it."""

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Literal

from keysift.errors import CancelledError, KeysiftError, listening
from keysift.features.prepared import Progress
from keysift.web.refusals import NotReadyError, for_page
from keysift.web.schemas import Job

Name = Literal["reading", "learning", "map"]
Work = Callable[[Progress, threading.Event], None]
"""Is told where to say how far it is, and an event that is set when it should stop."""
WORDS = {"reading": "Reading", "learning": "Learning", "map": "Drawing the map"}


class Jobs:
    """The job that runs, or the last one that ran.

    >>> jobs = Jobs()
    >>> _ = jobs.start("reading", lambda progress, cancelled: progress("Reading", 0.5))
    >>> jobs.wait()
    >>> jobs.last.state, jobs.last.done
    ('done', 1.0)
    """

    def __init__(self) -> None:
        self.last: Job | None = None
        self._cancelled = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    @property
    def running(self) -> bool:
        """Whether one runs."""
        return self.last is not None and self.last.state == "running"

    def start(self, name: Name, work: Work) -> Job:
        """Start a job, unless one runs already."""
        with self._lock:
            if self.last is not None and self.running:
                raise NotReadyError(f"{WORDS[self.last.name]} is under way; wait until it is done, or cancel it.")
            number = 1 if self.last is None else self.last.number + 1
            job = self.last = Job(number=number, name=name, stage=WORDS[name], done=0.0, state="running")
            self._cancelled = threading.Event()
            context = copy_context()
            self._thread = threading.Thread(
                target=context.run, args=(self._run, work, self._cancelled), daemon=True, name=f"keysift-{name}"
            )
            self._thread.start()
            return job

    def cancel(self) -> None:
        """Stop the job that runs, if one does; it ends at its next step."""
        self._cancelled.set()

    def wait(self, patience: float | None = None) -> None:
        """Until the job has ended, or for so many seconds."""
        if self._thread is not None:
            self._thread.join(patience)

    def _run(self, work: Work, cancelled: threading.Event) -> None:
        def progress(stage: str, done: float) -> None:
            if cancelled.is_set():
                raise CancelledError
            self._tell(stage=stage, done=min(max(done, 0.0), 1.0))

        with listening() as heard:
            try:
                work(progress, cancelled)
            except CancelledError:
                self._tell(state="cancelled", message="Cancelled; everything is as it was.")
            except KeysiftError as error:
                self._tell(state="failed", message=for_page(error))
            except MemoryError:
                self._tell(state="failed", message="The memory is not enough for this; give fewer documents.")
            except Exception as error:
                self._tell(
                    state="failed", message=f"It failed, which is a fault of keysift: {error!r}; please report it."
                )
            else:
                self._tell(state="done", done=1.0, message=" ".join(dict.fromkeys(heard)))

    def _tell(self, **news: object) -> None:
        assert self.last is not None
        self.last = self.last.model_copy(update=news)
