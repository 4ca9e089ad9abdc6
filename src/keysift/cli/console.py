"""How commands speak: messages and progress on standard error, results on standard output."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from keysift.text.visible import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PIPED_WIDTH = 160
PIPED_SECONDS = 10.0
"""So often a long stage is told of when piped."""


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPED_WIDTH
    # Square brackets and colons in a document, an id or a file's name are no markup.
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)


def plain(text: str) -> Text:
    """Text for the terminal: what comes from a document, an id or a file's name must not steer it."""
    return Text(visible(text))


def one_line(text: str, most: int = 300) -> Text:
    """The beginning of a text on one line."""
    return plain(" ".join(text[:most].split()))


def say(text: str) -> None:
    """Print a message; it is never wrapped, so that it stays one line."""
    _console(stderr=True).print(plain(text), soft_wrap=True)


def note(text: str) -> None:
    """Print a warning."""
    _console(stderr=True).print(Text("Note: ", style="yellow") + plain(text), soft_wrap=True)


def complain(text: str) -> None:
    """Print what went wrong."""
    _console(stderr=True).print(Text("Error: ", style="bold red") + plain(text), soft_wrap=True)


def output() -> Console:
    """Where results go."""
    return _console(stderr=False)


class Stages:
    """Shows the stages of the work: a bar each on a terminal, a line each when piped."""

    def __init__(self, bars: "Progress | None", quiet: bool) -> None:
        self._bars = bars
        self._quiet = quiet
        self._tasks: dict[str, TaskID] = {}
        self._last = self._spoke = time.perf_counter()
        self._told = ""

    def __call__(self, stage: str, done: float) -> None:
        """Told by the work how far a stage is."""
        if self._bars is not None:
            if stage not in self._tasks:
                self._tasks[stage] = self._bars.add_task(stage, total=1.0)
            self._bars.update(self._tasks[stage], completed=done)
        elif not self._quiet and stage != self._told:  # some say twice that they are done
            now = time.perf_counter()
            if done >= 1.0:
                say(f"{stage} … {now - self._last:.1f} s")
                self._told, self._last, self._spoke = stage, now, now
            elif done > 0.0 and now - self._spoke >= PIPED_SECONDS:
                say(f"{stage} … {done:.0%}")
                self._spoke = now


@contextmanager
def stages(quiet: bool) -> Iterator[Stages]:
    """Show progress while the block runs."""
    console = _console(stderr=True)
    if quiet or not console.is_terminal:
        yield Stages(None, quiet)
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(TextColumn("{task.description:<20}"), BarColumn(), TimeElapsedColumn(), console=console) as bars:
        yield Stages(bars, quiet)
