"""A drawing as plain shapes in a frame of so many units; a template makes an SVG picture of it."""

from dataclasses import dataclass

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
