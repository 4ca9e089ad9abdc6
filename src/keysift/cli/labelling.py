"""One key a document: show it, take the answer, save it, go on."""

import sys
from collections.abc import Callable

import polars as pl
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from keysift.audit.answers import NO, UNSURE, YES
from keysift.audit.ranked_table import word_list
from keysift.cli.console import output as results_console
from keysift.cli.console import plain, say
from keysift.present.highlight import words_pattern

KEYS = {"y": YES, "n": NO, "u": UNSURE, "?": UNSURE, "j": YES, "1": YES, "0": NO}
BACK, QUIT = ("b", "\x7f", "\x08"), ("q", "\x1b", "\x03", "\x04", "")
WORDS = {"yes": "y", "no": "n", "unsure": "u", "back": "b", "undo": "b", "quit": "q"}
HELP = "y yes   n no   u unsure   b back (undo)   q quit"
LONGEST = 3000
"""Characters of a document that are shown."""


def label_all(frame: pl.DataFrame, answers: list[str], save: Callable[[list[str]], None]) -> int:
    """Ask for every document without an answer, in the order of the table; returns how many are left.

    `save` is told all answers after each one.
    """
    answers = list(answers)
    history = [row for row, answer in enumerate(answers) if answer]
    console = results_console()
    while "" in answers:
        row = answers.index("")
        console.print(_shown(frame, row, len(answers) - answers.count("")))
        key = _key()
        if key in QUIT:
            break
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


def _key() -> str:
    """One key on a terminal, one line of a pipe; the empty string at its end."""
    if sys.stdin.isatty():
        import click

        return click.getchar().lower()
    while line := sys.stdin.readline():
        if given := line.strip().lower():
            return WORDS.get(given, given)
    return ""


def _shown(frame: pl.DataFrame, row: int, done: int) -> Panel:
    shown = ("id", "text", "evidence", "highlight")
    given = {name: str(frame[name][row] or "") if name in frame.columns else "" for name in shown}
    long = len(given["text"]) > LONGEST
    text = plain(given["text"][:LONGEST] + (" …" if long else ""))
    if pattern := words_pattern(word_list(given["highlight"])):
        text.highlight_regex(pattern, "bold yellow")
    return Panel(
        Group(text, Text(), plain(given["evidence"]), Text(HELP, style="dim")),
        title=plain(f"{done + 1} of {len(frame)} · {given['id']}"),
        title_align="left",
    )
