"""An audit sheet and a project: each takes over the answers that the other has.

A sheet takes over every answer that the project has to a document of its sample, also one that was given in a biased
reading order. That is right: which documents are in the sample was drawn by the seed alone, whatever had been read, and
an answer is a fact about its document. It would be wrong the other way round: to add documents to the sample because
they were answered. So nothing but the sample's own documents is ever looked up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from keysift.errors import InputError, listed
from keysift.review.fingerprints import fingerprints
from keysift.review.state import AUDIT, SKIPPED, State

MOST = 5
"""Rows that an error names."""


@dataclass(frozen=True)
class Shared:
    """The rows of a sheet as a project knows them."""

    state: State
    numbers: list[int]
    answers: list[str]
    """The answers of the sheet and of the project."""
    taken: int
    """How many of them the sheet did not have."""

    def save(self, answers: Sequence[str]) -> None:
        """Keep what has changed in the sheet."""
        for row, (number, before, now) in enumerate(zip(self.numbers, self.answers, answers, strict=True)):
            if now and now != before:
                self.state.answer(number, now, AUDIT)
            elif before and not now:
                self.state.take_back(number)
            self.answers[row] = now


def share(state: State, sheet: pl.DataFrame, answers: Sequence[str], source: str) -> Shared:
    """Bring the answers of a sheet and a project together; refused where they contradict each other."""
    ids = sheet["id"].cast(pl.String).fill_null("").str.strip_chars().to_list()
    texts = sheet["text"].cast(pl.String).fill_null("") if "text" in sheet.columns else ids
    hashes = fingerprints(texts)
    found = state.find(hashes, ids, by_id=True)
    if unknown := [f"row {row + 1} ({ids[row]})" for row, number in enumerate(found) if number is None]:
        raise InputError(
            f"{source} has documents that the project {state.folder} does not know: {listed(unknown, MOST)}; give the"
            " project that the ranking is from."
        )
    numbers = [number for number in found if number is not None]
    known = {number: given.answer for number, given in state.answers().items() if given.answer != SKIPPED}
    contradictions = [
        f"row {row + 1} ({ids[row]}): {answer} here, {known[number]} there"
        for row, (number, answer) in enumerate(zip(numbers, answers, strict=True))
        if answer and known.get(number, answer) != answer
    ]
    if contradictions:
        raise InputError(
            f"{source} and the project {state.folder} contradict each other: {listed(contradictions, MOST)}; make the"
            " sheet agree, or empty the answer in it."
        )
    state.answer_all(
        [(number, answer) for number, answer in zip(numbers, answers, strict=True) if answer and number not in known],
        AUDIT,
    )
    same = state.answers_by_text()  # a document that says the same was answered once for all
    together = [
        answer or known.get(number) or same.get(hashed, "")
        for number, answer, hashed in zip(numbers, answers, hashes, strict=True)
    ]
    return Shared(state, numbers, together, sum(map(bool, together)) - sum(map(bool, answers)))
