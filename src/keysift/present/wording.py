"""How numbers and intervals are written."""

from typing import Protocol


class Bounded(Protocol):
    """A point estimate with its bounds; the estimate is None where it is unknown."""

    @property
    def value(self) -> float | None: ...  # noqa: D102
    @property
    def low(self) -> float: ...  # noqa: D102
    @property
    def high(self) -> float: ...  # noqa: D102


UNKNOWN = "–"


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "keyword"), counted(1200, "document")
    ('1 keyword', '1,200 documents')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent(estimate: Bounded | None) -> str:
    """The estimate in percent, or a dash.

    >>> from keysift.audit.estimates import Estimate
    >>> percent(Estimate(0.25, 0.1, 0.5)), percent(Estimate(None, 0.0, 1.0)), percent(None)
    ('25.0 %', '–', '–')
    """
    return UNKNOWN if estimate is None or estimate.value is None else f"{100 * estimate.value:.1f} %"


def bounds(estimate: Bounded | None) -> str:
    """The bounds in percent, or a dash.

    >>> from keysift.audit.estimates import Estimate
    >>> bounds(Estimate(0.25, 0.1, 0.5))
    '10.0 to 50.0'
    """
    return UNKNOWN if estimate is None else f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f}"


def percent_and_bounds(estimate: Bounded | None) -> str:
    """Both, for the middle of a sentence.

    >>> from keysift.audit.estimates import Estimate
    >>> percent_and_bounds(Estimate(0.25, 0.1, 0.5))
    '25.0 % (10.0 to 50.0)'
    """
    return f"{percent(estimate)} ({bounds(estimate)})"


def short_range(value: float, low: float, high: float) -> str:
    """A share with its range, short enough for a narrow table.

    >>> short_range(0.5, 0.25, 0.75)
    '50% (25-75)'
    """
    return f"{value:.0%} ({100 * low:.0f}-{100 * high:.0f})"


def on_one_line(text: str, most: int) -> str:
    r"""The beginning of a text, its spaces and line breaks made single spaces.

    >>> on_one_line(" A goal,\n late ", 300), on_one_line("A late goal", 6)
    ('A goal, late', 'A late …')
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()} …"
