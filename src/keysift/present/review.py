"""How far a review is, in a few lines, and what was read and left out of it."""

from keysift.present.facts import Table
from keysift.present.wording import counted
from keysift.review.progress import CheckProgress, Progress

ROW = 20
"""Documents in a row without a relevant one that are worth a word."""
WANTED = "95 %"
"""Recall that is to be proved, and the confidence of the proof."""


def progress_lines(progress: Progress) -> tuple[str, str, str]:
    """What was read, what to expect of the rest, and whether one may stop."""
    return _read(progress), _left(progress), stop_advice(progress)


def _read(progress: Progress) -> str:
    others = [
        f"{number:,} {name}" for number, name in ((progress.unsure, "unsure"), (progress.skipped, "skipped")) if number
    ]
    units = progress.read + progress.left
    return " · ".join([f"{progress.read:,} of {units:,} read", f"{progress.relevant:,} relevant", *others])


def _left(progress: Progress) -> str:
    check = progress.check
    if check is not None and check.drawn:
        return (
            f"Relevant and unread: {check.low:,} to {check.high:,}, by a random sample of what was unread"
            f" ({check.drawn:,} of {check.unread:,}, {check.relevant:,} relevant)"
        )
    value, low, high = (round(number) for number in progress.expected)
    return f"Relevant and unread: about {value:,} ({low:,} to {high:,}), by the model"


def stop_advice(progress: Progress) -> str:
    """Whether one may stop reading, and what it would take."""
    check = progress.check
    if not progress.left:
        return "Everything is read."
    if check is None or not check.drawn:
        row = progress.in_a_row
        heuristic = f"the last {row:,} were not relevant, which proves nothing; " if row >= ROW else ""
        start = "answer these" if check is not None and check.running else "c draws documents at random"
        return f"May I stop? {heuristic[:1].upper()}{heuristic[1:]}{start} to know."
    proved = f"recall is at least {_percent(check.recall)} with {WANTED} confidence"
    if check.reached:
        return f"May I stop? Yes: {proved}."
    return f"May I stop? Not yet: {proved}.{_more(check)}"


def _more(check: CheckProgress) -> str:
    if check.running and check.more is not None:
        return f" About {check.more:,} more random documents prove {WANTED}, if none is relevant."
    return " Read on, then check again with c."


def _percent(share: float) -> str:
    """A share in percent, rounded down: a bound must not be made better than it is.

    >>> _percent(0.94999), _percent(1.0)
    ('94.9 %', '100.0 %')
    """
    return f"{int(share * 1000 + 1e-9) / 10:.1f} %"


def stopped_by(progress: Progress) -> str:
    """The rule by which reading ended.

    >>> from dataclasses import replace
    >>> from keysift.decide.posterior import Interval
    >>> done = Progress(4, 1, 1, 1, 1, 0, 0, 0, 0, 1, Interval(0, 0, 0), None)
    >>> stopped_by(done), stopped_by(replace(done, unread=2))
    ('everything was read', 'no rule: 1 in a row not relevant')
    """
    check = progress.check
    if not progress.left:
        return "everything was read"
    if check is not None and check.reached:
        return f"stop check {check.nth}: recall at least {_percent(check.recall)} with {WANTED} confidence"
    return f"no rule: {progress.in_a_row:,} in a row not relevant"


def count_table(progress: Progress) -> Table:
    """What became of the records, step by step, as in a PRISMA diagram.

    >>> from keysift.decide.posterior import Interval
    >>> [row[0] for row in count_table(Progress(4, 1, 1, 1, 1, 0, 0, 0, 0, 1, Interval(0, 0, 0), None)).rows][:3]
    ['records in the file', 'empty', 'duplicates of others']
    """
    numbers = (
        ("records in the file", progress.records),
        ("empty", progress.empty),
        ("duplicates of others", progress.duplicates),
        ("read", progress.read),
        ("  of these answered in the table", progress.labelled),
        ("  relevant", progress.relevant),
        ("  not relevant", progress.irrelevant),
        ("  unsure", progress.unsure),
        ("skipped", progress.skipped),
        ("left unread", progress.unread),
    )
    return Table(("step", "documents"), tuple((name, f"{number:,}") for name, number in numbers), numbers=(1,))


def goodbye(progress: Progress, folder: str) -> str:
    """What was saved where."""
    return f"Saved in {folder}: {counted(progress.read, 'document')} read, {progress.relevant:,} relevant."
