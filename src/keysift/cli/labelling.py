"""One key a document: show it, take the answer, save it, go on."""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from keysift.audit.answers import NO, UNSURE, YES
from keysift.audit.ranked_table import word_list
from keysift.cli.console import output as results_console
from keysift.cli.console import plain, say
from keysift.cli.keys import read_key, single_keys
from keysift.corpus.writing import write
from keysift.errors import OutputError
from keysift.files.atomic import stamp_of
from keysift.present.highlight import words_pattern

KEYS = {"y": YES, "n": NO, "u": UNSURE, "?": UNSURE, "j": YES, "1": YES, "0": NO}
BACK, QUIT = ("b", "\x7f", "\x08"), ("q", "\x1b", "\x03", "\x04", "")
WORDS = {"yes": "y", "no": "n", "unsure": "u", "back": "b", "undo": "b", "evidence": "e", "quit": "q"}
HELP = "y yes   n no   u unsure   b back (undo)   e evidence   q quit"
LONGEST = 3000
"""Characters of a document that are shown."""


class Saving:
    """Writes a sheet after every answer, unless somebody else has changed the file in the meantime."""

    def __init__(self, sheet: pl.DataFrame, path: Path, stamp: tuple[int, ...] | None) -> None:
        self.sheet, self.path, self.stamp = sheet, path, stamp

    def __call__(self, answers: list[str]) -> None:
        """Write all answers."""
        if stamp_of(self.path) != self.stamp:
            raise OutputError(
                f"{self.path} was changed by another program while you answered, so your last answer was not saved;"
                " close it there, then start again: the answers before it are kept."
            )
        write(self.sheet.with_columns(pl.Series("answer", answers, dtype=pl.String)), self.path)
        self.stamp = stamp_of(self.path)


def label_all(frame: pl.DataFrame, answers: list[str], save: Callable[[list[str]], None]) -> int:
    """Ask for every document without an answer, in the order of the table; returns how many are left.

    `save` is told all answers after each one. Evidence sways who judges, so it is shown where it is asked for.
    """
    with single_keys():
        return _label_all(frame, list(answers), save)


def _label_all(frame: pl.DataFrame, answers: list[str], save: Callable[[list[str]], None]) -> int:
    history = [row for row, answer in enumerate(answers) if answer]
    console, reasons = results_console(), False
    while "" in answers:
        row = answers.index("")
        console.print(_shown(frame, row, len(answers) - answers.count(""), reasons))
        key = next_key(WORDS)
        reasons = key == "e"
        if key in QUIT:
            break
        if reasons:
            continue
        if key in BACK:
            if not history:
                say("There is nothing to go back to.")
                continue
            last = history.pop()
            answers[last] = ""
            save(answers)
            say(f"Took back the answer to {frame['id'].cast(pl.String)[last]!r}.")
        elif key in KEYS:
            answers[row] = KEYS[key]
            history.append(row)
            save(answers)
        else:
            say(f"{key!r} is no answer; {HELP}.")
    return answers.count("")


def next_key(words: Mapping[str, str]) -> str:
    """One key on a terminal; of a pipe one line, a key or one of the `words` for it; the empty string at its end."""
    if sys.stdin.isatty():
        while (key := read_key()).isspace():  # whoever is used to it may press Enter
            continue
        return key.lower()
    while line := sys.stdin.readline():
        if given := line.strip().lower():
            return words.get(given, given)
    return ""


def marked_text(text: str, pattern: re.Pattern[str] | None, most: int = LONGEST) -> Text:
    """The beginning of a document with the words of a pattern marked."""
    shown = plain(text[:most] + (" …" if len(text) > most else ""))
    if pattern:
        shown.highlight_regex(pattern, "bold yellow")
    return shown


def _shown(frame: pl.DataFrame, row: int, done: int, reasons: bool) -> Panel:
    shown = ("id", "text", "evidence", "highlight")
    given = {name: str(frame[name][row] or "") if name in frame.columns else "" for name in shown}
    text = marked_text(given["text"], words_pattern(word_list(given["highlight"])))
    evidence = [plain(given["evidence"] or "There is no evidence.")] if reasons else []
    return Panel(
        Group(text, Text(), *evidence, Text(HELP, style="dim")),
        title=plain(f"{done + 1} of {len(frame)} · {given['id']}"),
        title_align="left",
    )
