"""`rank --ask`: a few documents, one key each, right after learning."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from keysift.cli.console import note, say
from keysift.errors import SettingError
from keysift.present.wording import counted

if TYPE_CHECKING:
    import polars as pl

    from keysift.audit.sampling import Sample
    from keysift.corpus.documents import Corpus
    from keysift.ranker import KeywordRanker


def check_asking(n: int) -> None:
    """Find out before the long work whether somebody can be asked."""
    from keysift.audit.asking import check_number

    check_number(n)
    if not sys.stdin.isatty():
        raise SettingError(
            "--ask needs a terminal, and there is none; leave it out, and audit the ranking: keysift audit start."
        )


def ask_about(
    clf: "KeywordRanker", corpus: "Corpus", ranking: "pl.DataFrame", n: int, beside: Path | None
) -> "pl.DataFrame":
    """Ask about n documents, decide by the answers, and give the ranking with the new decisions.

    Answers are saved at once, in a sheet beside the output; asked again, it goes on where it stopped.
    """
    import numpy as np
    import polars as pl

    from keysift.audit.answers import UNSURE, Audit
    from keysift.audit.asking import CODES
    from keysift.audit.ranked_table import ranking_from
    from keysift.audit.sampling import draw
    from keysift.audit.sheet import sheet_of
    from keysift.cli.labelling import Saving, label_all
    from keysift.files.atomic import stamp_of
    from keysift.files.lock import only_one

    order = ranking["document"]
    frame = ranking.with_columns(id=corpus.ids.gather(order))
    sample = draw(ranking_from(frame, texts=corpus.texts.gather(order)), n)
    sheet, path = sheet_of(sample), sheet_path(beside, sample)
    begins = path.name.removesuffix(f"{sample.n}.csv")
    for other in sorted(path.parent.iterdir()):
        if other.name.startswith(begins) and other != path:
            note(f"{other} has answers to another draw, which do not count here; --ask with the same number goes on.")
    with only_one(path, "is being answered"):
        saving = Saving(sheet, path, stamp_of(path))
        answers = _given(path) or [""] * len(sheet)

        def save(now: list[str]) -> None:
            saving(now)
            answers[:] = now

        try:
            left = label_all(sheet, answers, save)
        except KeyboardInterrupt:
            left = answers.count("")
    codes = [CODES.get(answer, -1) for answer in answers]
    said = counted(len(answers) - left, "answer")
    if left < len(answers):
        say(f"Saved {said} in {path}.")
    if not any(code >= 0 for code in codes):
        note("No document was answered with yes or no; decisions stay as they are.")
        return ranking
    if left:
        note(f"{counted(left, 'document')} left; the answers so far count. The same command goes on where you stopped.")
    audit = Audit(sample, np.array(codes, dtype=np.int8), unsure=answers.count(UNSURE), unanswered=left)
    clf.apply_audit(audit)
    scores = ranking["score"].to_numpy()
    empty = scores == clf.scorer_.floor
    return ranking.with_columns(
        pl.Series("decision", clf.decisions_.positive(scores, empty)).cast(ranking.schema["decision"]),
        pl.Series("chance", clf.posterior_.at(scores)),
    )


def sheet_path(beside: Path | None, sample: "Sample") -> Path:
    """The sheet's file: beside the output, and named after the ranking, so that it never meets another's answers."""
    name = f"asked-{sample.ranking.fingerprint}-{sample.n}.csv"
    return Path(name) if beside is None else beside.with_name(f"{beside.name.split('.')[0]}-{name}")


def _given(path: Path) -> list[str]:
    """Answers of an earlier try."""
    from keysift.audit.answers import parse_answers
    from keysift.corpus.reading import read_table

    return parse_answers(read_table(path)[0], str(path)) if path.exists() else []
