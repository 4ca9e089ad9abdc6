"""How far a run of the experiments is, and how long it will still take."""

import sys
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, ClassVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from benchmarks.paper.results import Key, key_of

__all__ = ["Progress", "spoken"]


class Progress:
    """A bar on a terminal, a line for each task elsewhere; the time left comes from tasks of the same kind."""

    PERIOD: ClassVar[float] = 1.0
    """Seconds between two looks at the clock."""

    def __init__(self, tasks: Sequence[Key], there: Mapping[Key, dict[str, Any]], jobs: int) -> None:
        self._left = {task for task in tasks if task not in there}
        self._total, self._jobs = len(tasks), jobs
        self._seconds: dict[tuple[str, str], list[float]] = {}
        for line in there.values():
            self._note(line)
        self._bar: Bar | None = None
        self._at = time.monotonic()

    def __enter__(self) -> "Progress":
        done = self._total - len(self._left)
        print(f"{self._total} tasks, {done} of them done before, {self._jobs} at a time.", flush=True)
        if sys.stdout.isatty():
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[left]}"),
            )
            self._bar = Bar(*columns, console=Console())
            self._bar.add_task("Experiments", total=self._total, completed=done, left=self.remaining())
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def tick(self) -> None:
        """Show the time left as it is now."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._total - len(self._left), left=self.remaining())

    def finished(self, line: dict[str, Any]) -> None:
        """A task has its result."""
        self._note(line)
        name, system, number = key_of(line)
        self._end((name, system, number), f"AUC {line['auc']:.1f}, {line['seconds']:.1f} s")

    def failed(self, task: Key, error: Exception) -> None:
        """A task has none."""
        self._end(task, f"failed: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")

    def remaining(self) -> str:
        """The time left, from the mean of tasks of the same set and system, or the same system, or all."""
        if not self._left:
            return "done"
        if not self._seconds:
            return "time left not known yet"
        return f"about {spoken(sum(map(self._expected, self._left)) / self._jobs)} left"

    def _expected(self, task: Key) -> float:
        name, system, _ = task
        same = self._seconds.get((name, system))
        alike = same or [s for (_, other), many in self._seconds.items() if other == system for s in many]
        every = alike or [s for many in self._seconds.values() for s in many]
        return sum(every) / len(every)

    def _note(self, line: dict[str, Any]) -> None:
        seconds = float(line.get("wall_seconds", line["seconds"]))
        self._seconds.setdefault((str(line["set"]), str(line["system"])), []).append(seconds)

    def _end(self, task: Key, what: str) -> None:
        self._left.discard(task)
        name, system, number = task
        text = (
            f"{self._total - len(self._left)}/{self._total} {name} {system} trial {number}: {what}; {self.remaining()}"
        )
        if self._bar is not None:
            self._bar.console.print(text, highlight=False)
            self.tick()
        else:
            print(text, flush=True)


def spoken(seconds: float) -> str:
    """A duration as people say it.

    >>> spoken(42), spoken(150), spoken(9000)
    ('42 s', '2 min', '2 h 30 min')
    """
    minutes = round(seconds) // 60
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
