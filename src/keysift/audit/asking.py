"""A few documents asked right after a fit: drawn as an audit draws them, answered one by one."""

import sys
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.audit.answers import ALLOWED, NO, UNSURE, YES, Audit, parse_answer
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import FEWEST, Sample, draw
from keysift.errors import InputError, SettingError, warn
from keysift.text.visible import visible

Answer: TypeAlias = Callable[[str], int | bool | None]
"""Takes a text, and says 1 (relevant), 0 (not relevant) or None (unsure)."""
CODES = {YES: 1, NO: 0}
LONGEST = 3000
"""Characters of a document that are shown."""


def sample_to_ask(
    scores: NDArray[np.float64], positive: NDArray[np.bool_], texts: pl.Series, n: int, seed: int = 0
) -> Sample:
    """The documents to ask about; their ids are their places.

    >>> scores = np.arange(50.0)
    >>> len(sample_to_ask(scores, scores > 40, pl.Series(["a text"] * 50), 20).rows)
    20
    """
    check_number(n)
    order = np.lexsort((-scores, ~positive))
    frame = {"id": order, "rank": np.arange(1, len(order) + 1), "score": scores[order], "decision": positive[order] * 1}
    return draw(ranking_from(pl.DataFrame(frame), texts=texts.gather(order)), n, seed=seed)


def check_number(n: int) -> None:
    """Refuse a number of documents that tells nothing, before the long work."""
    if n != int(n) or n < FEWEST:
        raise SettingError(f"The documents to ask about must be a whole number of {FEWEST} or more; got {n!r}.")


def ask(sample: Sample, answer: Answer | None = None) -> Audit:
    """Ask about every document of a sample; whoever is interrupted keeps the answers given so far.

    >>> scores = np.arange(50.0)
    >>> sample = sample_to_ask(scores, scores > 40, pl.Series([f"{score:g}" for score in scores]), 20)
    >>> ask(sample, lambda text: float(text) > 30).answered
    20
    """
    said: list[int] = []
    texts = sample.ranking.texts.gather(sample.rows)
    try:
        for number, text in enumerate(texts, start=1):
            given = on_terminal(text, f"{number} of {len(texts)}") if answer is None else answer(text)
            said.append(_code(given))
    except (KeyboardInterrupt, EOFError):
        warn(f"Stopped after {len(said):,} of {len(texts):,} documents; the answers given so far count.")
    return audit_of(sample, said)


def audit_of(sample: Sample, said: list[int]) -> Audit:
    """The audit of the first documents of a sample: 1, 0, or -1 for unsure; the others have no answer."""
    left = len(sample.rows) - len(said)
    answers = np.array([*said, *[-1] * left], dtype=np.int8)
    audit = Audit(sample, answers, unsure=said.count(-1), unanswered=left)
    if not audit.answered:
        raise InputError(
            "No document was answered with yes or no, so nothing is known; the decisions stay as they are."
        )
    return audit


def on_terminal(text: str, where: str) -> int | None:
    """Show a text and ask, again until it is understood; q ends the asking."""
    if not sys.stdin.isatty():
        raise InputError("There is no terminal to ask on; hand in a function, answer=, that is given a text.")
    print(f"\n[{where}]\n{visible(text[:LONGEST])}")
    while True:
        given = input("Relevant? y, n, u (unsure), q (stop): ")
        if given.strip().lower() in ("q", "quit"):
            raise KeyboardInterrupt
        meant = parse_answer(given)
        if meant in (YES, NO, UNSURE):
            return CODES.get(str(meant))
        print(f"Allowed is {ALLOWED}.")


def _code(given: object) -> int:
    if given is None:
        return -1
    if isinstance(given, int | float | np.number | np.bool_) and given in (0, 1):
        return int(given)
    raise InputError(f"An answer must be 1 (relevant), 0 (not relevant) or None (unsure); got {given!r}.")
