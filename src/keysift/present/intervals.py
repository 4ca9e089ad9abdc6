"""Estimates with their intervals, one below the other, from 0 to 100 %."""

from collections.abc import Sequence

from keysift.audit.estimates import Estimate
from keysift.present.drawing import Bar, Dot, Drawing, Label, Line, for_both
from keysift.present.wording import bounds

ROW, LEFT, RIGHT, FOOT = 44, 16, 22, 24
"""Each name is above its bar, so that a phone has room for both."""


def interval_picture(rows: Sequence[tuple[str, Estimate]]) -> Drawing:
    """A bar for each interval and a dot for each estimate.

    >>> picture = interval_picture([("recall", Estimate(0.5, 0.25, 0.75)), ("precision", Estimate(None, 0.0, 1.0))])
    >>> len(picture.bars), len(picture.dots)
    (2, 1)
    """
    return for_both(lambda width: _picture(rows, width))


def _picture(rows: Sequence[tuple[str, Estimate]], width: float) -> Drawing:
    height = ROW * len(rows) + FOOT

    def x(share: float) -> float:
        return LEFT + (width - LEFT - RIGHT) * share

    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    middles = [ROW * number + 32 for number in range(len(rows))]
    return Drawing(
        width,
        height,
        "Estimates with their 95 % intervals",
        grid=tuple(Line(x(tick), 4, x(tick), height - 16, "grid") for tick in ticks),
        bars=tuple(
            Bar(x(one.low), y - 4, max(2.0, x(one.high) - x(one.low)), 8, "with", f"{name}: {bounds(one)}")
            for (name, one), y in zip(rows, middles, strict=True)
        ),
        dots=tuple(Dot(x(one.value), y, 7) for (_, one), y in zip(rows, middles, strict=True) if one.value is not None),
        labels=(
            *(Label(x(tick), height - 2, f"{tick:.0%}", "tick", "middle") for tick in ticks),
            *(Label(0, y - 14, name, "label") for (name, _), y in zip(rows, middles, strict=True)),
        ),
    )
