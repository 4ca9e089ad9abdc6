"""The page about all cuts of a ranking: expected precision, recall and F1, with bands."""

from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl

from keysift import __version__
from keysift.report.html import element
from keysift.report.shell import table, write_page

__all__ = ["sweep_picture", "write_sweep"]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 320, 48, 12, 34, 44
MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
LEGEND, LETTER = 110, 8.0
"""How much room a name in the legend has, and a letter at most."""


def write_sweep(path: str | Path, sweep: pl.DataFrame, chosen: int, *, source: str, prior: str, basis: str) -> None:
    """Write the page; `chosen` documents are above the threshold of the model."""
    body = element(
        "body",
        element("h1", "Where to cut"),
        element("p", f"{source} · keysift {__version__}"),
        element(
            "p",
            f"What may be expected if so many documents are taken, from {basis}. The prior is {prior}. The bands hold"
            " for the ends of the interval of the prior; an audit makes them narrow.",
        ),
        sweep_picture(sweep, chosen),
        table(
            ("cut", "documents", *MEASURES.values()),
            [
                (f"{row['cut']:.3f}", f"{row['count']:,}", *(_cell(row, name) for name in MEASURES))
                for row in sweep.iter_rows(named=True)
            ],
            numbers=(0, 1, 2, 3, 4),
        ),
    )
    write_page(path, f"keysift: cuts of {source}", body)


def sweep_picture(sweep: pl.DataFrame, chosen: int) -> ET.Element:
    """A line with a band for each measure, over the number of documents on a scale of ratios.

    >>> values = {f"{name}{end}": [0.9, 0.5] for name in MEASURES for end in ("", "_low", "_high")}
    >>> picture = sweep_picture(pl.DataFrame({"cut": [1.0, 0.0], "count": [1, 10], **values}), 5)
    >>> len(picture.findall("polyline")), len(picture.findall("polygon"))
    (3, 3)
    """
    counts = sweep["count"].to_numpy()
    last = max(float(np.log(counts.max())), 1e-9)

    def x(count: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * float(np.log(max(count, 1))) / last

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value)

    nodes = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        nodes.append(_line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "grid"))
        label = f"{tick:.0%}"
        nodes.append(element("text", label, x=str(LEFT - 6), y=f"{y(tick) + 4:.1f}", text_anchor="end"))
    for power in range(int(np.log10(counts.max())) + 1):
        label = f"{10**power:,}"
        fits = x(10**power) + len(label) * LETTER / 2 < WIDTH
        at, side = f"{x(10**power) if fits else WIDTH - 2:.1f}", "middle" if fits else "end"
        nodes.append(element("text", label, x=at, y=str(HEIGHT - BOTTOM + 18), text_anchor=side))
    nodes.append(element("text", "documents above the cut", x=str(WIDTH - RIGHT), y=str(HEIGHT - 6), text_anchor="end"))
    for number, (name, label) in enumerate(MEASURES.items()):
        xs = [x(count) for count in counts]
        band = list(zip(xs, map(y, sweep[f"{name}_high"]), strict=True))
        band += list(zip(xs, map(y, sweep[f"{name}_low"]), strict=True))[::-1]
        nodes.append(element("polygon", class_=f"band {name}", points=_points(band)))
        line = list(zip(xs, map(y, sweep[name]), strict=True))
        nodes.append(element("polyline", class_=f"curve {name}", points=_points(line)))
        nodes.append(element("text", f"— {label}", class_=name, x=str(LEFT + LEGEND * number), y="16"))
    if chosen:
        nodes.append(_line(x(chosen), TOP - 10, x(chosen), HEIGHT - BOTTOM, "chosen"))
        told = f"┆ threshold: {chosen:,} document{'s' * (chosen != 1)}"
        # Above its line where there is room, but beside the legend and inside the picture.
        half = len(told) * LETTER / 2
        at = f"{min(max(x(chosen), LEFT + LEGEND * len(MEASURES) + half), WIDTH - half):.1f}"
        nodes.append(element("text", told, class_="chosen", x=at, y="16", text_anchor="middle"))
    frame = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img", "aria-label": "Expected precision, recall and F1"}
    return element("svg", *nodes, attributes=frame)


def _cell(row: dict[str, float], name: str) -> str:
    return f"{row[name]:.0%} ({row[f'{name}_low']:.0%} to {row[f'{name}_high']:.0%})"


def _points(pairs: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in pairs)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> ET.Element:
    return element("line", class_=kind, x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}")
