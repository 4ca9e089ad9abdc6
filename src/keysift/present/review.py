"""How far a review is, in a few lines, and what was read and left out of it."""

from keysift.present.facts import Table
from keysift.present.wording import counted
from keysift.review.heuristics import InARow
from keysift.review.progress import Progress

WANTED = "95 %"
"""Recall that is to be proved, and the confidence of the proof."""


def progress_lines(progress: Progress) -> tuple[str, str, str, str]:
    """What was read, what to expect of the rest, whether one may stop, and what rules of thumb say of that."""
    return _read(progress), _left(progress), stop_advice(progress), _thumb(progress)


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
    if not progress.needed:
        return f"May I stop? Yes: recall is at least {WANTED} even if everything unread is relevant."
    if check is not None and check.drawn:
        proved = f"recall is at least {_percent(check.recall)} with {WANTED} confidence"
        return f"May I stop? Yes: {proved}." if check.reached else f"May I stop? Not yet: {proved}. {_more(progress)}"
    if check is not None and check.running and check.more is not None:
        return f"May I stop? Answer these to know: it takes {_price(check.more)}."
    price = _price(progress.needed)
    if progress.rules.check:
        return f"May I stop? Reading best first no longer pays: press c to draw at random and know; it takes {price}."
    return f"May I stop? Nobody knows yet; a check (c) takes {price}."


def _more(progress: Progress) -> str:
    check = progress.check
    if check is not None and check.running and check.more is not None:
        return f"About {counted(check.more, 'more random document')} for {WANTED}, if none is relevant."
    if progress.rules.check:
        return f"Reading best first no longer pays: check again with c; it takes {_price(progress.needed)}."
    return f"Read on, then check again with c; now it takes {_price(progress.needed)}."


def _price(needed: int) -> str:
    """How much a stop check has to read."""
    return (
        f"about {counted(needed, 'random document')} for {WANTED} recall with {WANTED} confidence, if none is relevant"
    )


def _thumb(progress: Progress) -> str:
    rules = progress.rules
    answers = (
        (f"{InARow().row} in a row", f"{_yes(rules.in_a_row)} ({rules.row:,})"),
        ("knee", _yes(rules.knee)),
        ("time to check", _yes(rules.check)),
    )
    return "Rules of thumb, no guarantee: " + "; ".join(f"{name}: {said}" for name, said in answers)


def _yes(said: bool) -> str:
    return "yes" if said else "not yet"


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
    >>> from keysift.review.heuristics import Said
    >>> rules = Said(row=1, in_a_row=False, knee=False, check=False)
    >>> done = Progress(4, 1, 1, 1, 1, 0, 0, 0, 0, rules, 0, Interval(0, 0, 0), None)
    >>> stopped_by(done), stopped_by(replace(done, unread=2, needed=2))
    ('everything was read', 'no rule (1 in a row not relevant)')
    """
    check = progress.check
    if not progress.left:
        return "everything was read"
    if check is not None and check.reached:
        return f"stop check {check.nth}: recall at least {_percent(check.recall)} with {WANTED} confidence"
    if not progress.needed:
        return f"recall is at least {WANTED} even if everything unread is relevant"
    return f"no rule ({progress.rules.row:,} in a row not relevant)"


def count_table(progress: Progress) -> Table:
    """What became of the records, step by step, as in a PRISMA diagram.

    >>> from keysift.decide.posterior import Interval
    >>> from keysift.review.heuristics import Said
    >>> rules = Said(row=1, in_a_row=False, knee=False, check=False)
    >>> done = Progress(4, 1, 1, 1, 1, 0, 0, 0, 0, rules, 0, Interval(0, 0, 0), None)
    >>> [row[0] for row in count_table(done).rows][:3]
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
