"""Answers, in any usual spelling, and the audit that they make; whatever does not fit is named and refused."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.audit.ranked_table import RankedTable, ranking_from
from keysift.audit.sampling import Sample, draw
from keysift.audit.sheet import check_sheet, read_tag
from keysift.audit.strata import STRATA
from keysift.errors import InputError, listed

YES, NO, UNSURE = "y", "n", "unsure"
SPELLINGS = {
    YES: ("y", "yes", "1", "1.0", "true", "t", "relevant", "include", "included", "+", "x"),
    NO: ("n", "no", "0", "0.0", "false", "f", "irrelevant", "not relevant", "exclude", "excluded", "-"),
    UNSURE: ("unsure", "u", "?", "??", "maybe", "unclear", "don't know", "dont know", "not sure"),
}
MEANING = {spelling: answer for answer, spellings in SPELLINGS.items() for spelling in spellings}
EMPTY = ("", "null", "nan", "n/a", "none")
ALLOWED = "y (yes, 1, true), n (no, 0, false) or unsure (u, ?)"
MOST = 5
"""Ids that an error names."""


@dataclass(frozen=True, eq=False)
class Audit:
    """A sample and what was said of each of its documents."""

    sample: Sample
    answers: NDArray[np.int8]
    """1 relevant, 0 not, -1 unsure or not answered; in the order of the sample."""
    unsure: int
    unanswered: int

    @property
    def ranking(self) -> RankedTable:
        """The ranking that the sample is from."""
        return self.sample.ranking

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which documents of the sample count."""
        return self.answers >= 0

    @property
    def weights(self) -> NDArray[np.float64]:
        """How many documents of its stratum each of the sample stands for, if those that count stand for all."""
        strata = self.sample.strata
        counted = np.bincount(strata[self.known], minlength=len(STRATA))
        return np.asarray(self.sample.plan.sizes / np.maximum(counted, 1))[strata]

    @property
    def answered(self) -> int:
        """How many documents count."""
        return int(self.known.sum())


def parse_answer(text: str | None) -> str | None:
    """`y`, `n`, `unsure`, the empty string where there is no answer, None where it is none of these.

    >>> [parse_answer(text) for text in (" Yes", "0", "?", "", "perhaps not")]
    ['y', 'n', 'unsure', '', None]
    """
    given = " ".join((text or "").lower().replace("’", "'").split()).rstrip(".!")
    return "" if given in EMPTY else MEANING.get(given)


def parse_answers(frame: pl.DataFrame, source: str = "The audit") -> list[str]:
    """The answers of a table, or an error that names the first row that has none of the allowed."""
    answers = []
    for row, (name, text) in enumerate(frame.select(pl.col("id", "answer").cast(pl.String)).iter_rows(), start=1):
        answer = parse_answer(text)
        if answer is None:
            raise InputError(
                f"{source}: row {row} (id {name!r}) has the answer {text!r}; allowed is {ALLOWED}, or nothing."
            )
        answers.append(answer)
    return answers


def read_answers(
    sheet: pl.DataFrame, ranking: pl.DataFrame | RankedTable, *, source: str = "The audit", ranked: str = "the ranking"
) -> Audit:
    """The audit that a filled-in table makes of the ranking it was drawn from.

    Rows may be in any order, and may be double as long as they agree. `source` and `ranked` name the two in errors.
    """
    check_sheet(sheet, source)
    ranking = ranking if isinstance(ranking, RankedTable) else ranking_from(ranking, source=ranked)
    sample = _sample(sheet, ranking, source, ranked)
    answers = parse_answers(sheet, source)
    by_place = _by_place(sheet, sample, answers, source)
    if not any(by_place.values()):
        raise InputError(
            f"{source}: the column 'answer' is empty; fill it with y, n or unsure in a spreadsheet, or with keysift"
            " audit label."
        )
    codes = {YES: 1, NO: 0}
    audit = Audit(
        sample,
        np.array([codes.get(by_place[place], -1) for place in range(len(sample.rows))], dtype=np.int8),
        unsure=sum(answer == UNSURE for answer in by_place.values()),
        unanswered=sum(answer == "" for answer in by_place.values()),
    )
    _check_strata(audit, source)
    return audit


def _sample(sheet: pl.DataFrame, ranking: RankedTable, source: str, ranked: str) -> Sample:
    tags = [tag for tag in map(read_tag, sheet["tag"].cast(pl.String)) if tag is not None]
    kinds = {tag.sample for tag in tags}
    if others := sorted({tag.fingerprint for tag in tags} - {ranking.fingerprint}):
        raise InputError(
            f"{source} belongs to another ranking: it was drawn from one with the fingerprint {listed(others, MOST)},"
            f" and {ranked} has {ranking.fingerprint!r}; give the ranking it was drawn from, or start a new audit."
        )
    if len(kinds) > 1:
        raise InputError(
            f"{source} mixes rows of {len(kinds)} audits ({listed(sorted(kinds), MOST)}); keep those of one of them."
        )
    return draw(ranking, tags[0].n, seed=tags[0].seed, k=tags[0].k)


def _by_place(sheet: pl.DataFrame, sample: Sample, answers: list[str], source: str) -> dict[int, str]:
    """The answer for each place of the sample; refuses rows that are foreign, missing or that contradict each other."""
    ids = sample.ranking.ids.gather(sample.rows).to_list()
    # A sheet may have a space before an id that would be a formula.
    place_of = {name.strip(): place for place, name in enumerate(ids)} | {name: place for place, name in enumerate(ids)}
    by_place: dict[int, str] = {}
    foreign, contradictory = [], []
    rows = sheet.select(pl.col("id", "tag").cast(pl.String)).iter_rows()
    for (name, text), answer in zip(rows, answers, strict=True):
        tag = read_tag(text)
        place = place_of.get(name or "", place_of.get((name or "").strip())) if tag is None else tag.number - 1
        if place is None or not 0 <= place < len(ids) or not _same(name or "", ids[place]):
            foreign.append(name)
        elif by_place.get(place, answer) != answer:
            contradictory.append(name)
        else:
            by_place[place] = answer
    if foreign:
        raise InputError(
            f"{source} has {_rows(foreign)} of documents that are not in the sample: {listed(foreign, MOST)}; take them"
            " out, or start an audit with a larger n."
        )
    if contradictory:
        raise InputError(
            f"{source} has the same document twice with different answers:"
            f" {listed(dict.fromkeys(contradictory), MOST)}; keep one of them."
        )
    if missing := [name for place, name in enumerate(ids) if place not in by_place]:
        raise InputError(
            f"{source} lacks {_rows(missing)} of the sample: {listed(missing, MOST)}; put them back (without an answer,"
            " if there is none)."
        )
    return by_place


def _same(given: str, name: str) -> bool:
    """Whether an id is what a spreadsheet makes of another: 7 of 007, 1.23457E+18 of a long number.

    >>> _same("7", "007"), _same("1.23457E+18", "1234567890123456789"), _same("7", "8")
    (True, True, False)
    """
    if given.strip() == name.strip():
        return True
    try:
        return bool(np.isclose(float(given), float(name), rtol=1e-5 if "e" in given.lower() else 0.0, atol=0.0))
    except ValueError:
        return False


def _check_strata(audit: Audit, source: str) -> None:
    """Every stratum needs an answer: nothing is known of one without."""
    taken = np.bincount(audit.sample.strata[audit.known], minlength=len(STRATA))
    if silent := [
        name for name, size, count in zip(STRATA, audit.sample.plan.sizes, taken, strict=True) if size > count == 0
    ]:
        raise InputError(
            f"{source}: no document of the stratum {listed(silent)} is answered with y or n, so nothing can be said;"
            " answer some more (keysift audit label goes on where it stopped)."
        )


def _rows(names: list[str]) -> str:
    return f"{len(names)} row" + ("" if len(names) == 1 else "s")
