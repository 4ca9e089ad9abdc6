"""How commands speak: messages and progress on standard error, results on standard output."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

__all__ = ["Stages", "complain", "note", "output", "say", "stages"]

PIPED_WIDTH = 160


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, width=None if stream.isatty() else PIPED_WIDTH)


def say(text: str) -> None:
    """Print a message; it is never wrapped when piped, so that it stays one line."""
    _console(stderr=True).print(escape(text), soft_wrap=True)


def note(text: str) -> None:
    """Print a warning."""
    _console(stderr=True).print(f"[yellow]Note:[/] {escape(text)}", soft_wrap=True)


def complain(text: str) -> None:
    """Print what went wrong."""
    _console(stderr=True).print(f"[bold red]Error:[/] {escape(text)}", soft_wrap=True)


def output() -> Console:
    """Where results go."""
    return _console(stderr=False)


class Stages:
    """Shows the stages of the work: a bar each on a terminal, a line each when piped."""

    def __init__(self, bars: Progress | None, quiet: bool) -> None:
        self._bars = bars
        self._quiet = quiet
        self._tasks: dict[str, TaskID] = {}
        self._last = time.perf_counter()

    def __call__(self, stage: str, done: float) -> None:
        """Told by the work how far a stage is."""
        if self._bars is not None:
            if stage not in self._tasks:
                self._tasks[stage] = self._bars.add_task(stage, total=1.0)
            self._bars.update(self._tasks[stage], completed=done)
        elif done >= 1.0 and not self._quiet:
            now = time.perf_counter()
            say(f"{stage} … {now - self._last:.1f} s")
            self._last = now


@contextmanager
def stages(quiet: bool) -> Iterator[Stages]:
    """Show progress while the block runs."""
    console = _console(stderr=True)
    if quiet or not console.is_terminal:
        yield Stages(None, quiet)
        return
    with Progress(TextColumn("{task.description:<20}"), BarColumn(), TimeElapsedColumn(), console=console) as bars:
        yield Stages(bars, quiet)
