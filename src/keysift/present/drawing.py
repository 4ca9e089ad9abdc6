"""A drawing as plain shapes in a frame of so many units; a template makes an SVG picture of it.

A picture is as wide as its window, and its letters grow and shrink with it. So there are two of each: for a desk, and
for a phone, where a unit is about a pixel.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

WIDE, NARROW = 900.0, 350.0
"""Units of a picture for a desk, and for a phone of 390 pixels without its margins."""
LETTER = 8.0
"""How wide a letter is at most."""
ROW = 20
"""From one row of a legend to the next."""

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Bar:
    """A rectangle; `title` is shown when one points at it."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str


@dataclass(frozen=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True)
class Label:
    """A text; `anchor` says which end of it is at x: "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    kind: str = ""
    anchor: str = "start"


@dataclass(frozen=True)
class Dot:
    """A point with a size."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Curve:
    """A line through points."""

    points: Points
    kind: str


@dataclass(frozen=True)
class Band:
    """The area between points."""

    points: Points
    kind: str


@dataclass(frozen=True)
class Drawing:
    """Shapes from back to front, and what they show in a few words."""

    width: float
    height: float
    title: str
    grid: tuple[Line, ...] = ()
    bands: tuple[Band, ...] = ()
    bars: tuple[Bar, ...] = ()
    curves: tuple[Curve, ...] = ()
    lines: tuple[Line, ...] = ()
    dots: tuple[Dot, ...] = ()
    labels: tuple[Label, ...] = ()
    narrow: "Drawing | None" = None
    """The same for a phone."""


def for_both(draw: Callable[[float], Drawing]) -> Drawing:
    """The drawing of a given width for a desk, and with it the one for a phone."""
    return replace(draw(WIDE), narrow=draw(NARROW))


def legend(entries: Sequence[tuple[str, str]], width: float) -> tuple[Label, ...]:
    """Texts of some kinds side by side, in as many rows as they need.

    >>> [(label.x, label.y) for label in legend([("learning", ""), ("at random", ""), ("by keyword", "")], 200)]
    [(0.0, 16.0), (88.0, 16.0), (0.0, 36.0)]
    """
    labels: list[Label] = []
    x, y = 0.0, 16.0
    for text, kind in entries:
        if x and x + len(text) * LETTER > width:
            x, y = 0.0, y + ROW
        labels.append(Label(x, y, text, kind))
        x += (len(text) + 3) * LETTER
    return tuple(labels)
