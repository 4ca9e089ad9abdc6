import threading

import pytest

from keysift.errors import KeysiftError, warn
from keysift.features.prepared import Progress
from keysift.web.jobs import Jobs
from keysift.web.refusals import NotReadyError


def test_one_at_a_time_and_the_first_goes_on() -> None:
    jobs, go_on = Jobs(), threading.Event()

    def work(progress: Progress, cancelled: threading.Event) -> None:
        assert go_on.wait(10)

    jobs.start("learning", work)
    with pytest.raises(NotReadyError, match="Learning is under way; wait until it is done, or cancel it"):
        jobs.start("map", lambda progress, cancelled: None)
    go_on.set()
    jobs.wait()
    assert jobs.last is not None
    assert (jobs.last.number, jobs.last.state) == (1, "done")
    assert jobs.start("map", lambda progress, cancelled: None).number == 2


def test_cancelled_at_the_next_step() -> None:
    jobs, started, after = Jobs(), threading.Event(), []

    def work(progress: Progress, cancelled: threading.Event) -> None:
        progress("Encoding", 0.5)
        started.set()
        assert cancelled.wait(10)
        progress("Encoding", 0.6)
        after.append("went on")

    jobs.start("learning", work)
    assert started.wait(10)
    assert jobs.last is not None
    assert (jobs.last.stage, jobs.last.done, jobs.last.state) == ("Encoding", 0.5, "running")
    jobs.cancel()
    jobs.wait()
    assert (jobs.last.state, after) == ("cancelled", [])


@pytest.mark.parametrize(
    ("error", "told"),
    [(KeysiftError("No documents."), "No documents."), (MemoryError(), "memory"), (KeyError("x"), "fault of keysift")],
)
def test_what_fails_says_why_and_the_next_job_can_start(error: Exception, told: str) -> None:
    def work(progress: Progress, cancelled: threading.Event) -> None:
        raise error

    jobs = Jobs()
    jobs.start("reading", work)
    jobs.wait()
    assert jobs.last is not None
    assert jobs.last.state == "failed"
    assert told in jobs.last.message
    assert jobs.start("reading", lambda progress, cancelled: None).number == 2
    jobs.wait()


def test_warnings_are_told_once() -> None:
    def work(progress: Progress, cancelled: threading.Event) -> None:
        warn("Only some were encoded.")
        warn("Only some were encoded.")

    jobs = Jobs()
    jobs.start("learning", work)
    jobs.wait()
    assert jobs.last is not None
    assert jobs.last.message == "Only some were encoded."
