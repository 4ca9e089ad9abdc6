"""Precision, recall and F1 over the number of documents above the cut: expected, with bands, or measured."""

import numpy as np
import polars as pl

from keysift.present.drawing import Band, Curve, Drawing, Label, Line
from keysift.present.wording import counted

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 320, 48, 12, 34, 44
MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
LEGEND, LETTER = 110, 8.0
"""How much room a name in the legend has, and a letter at most."""


def sweep_picture(sweep: pl.DataFrame, chosen: int, title: str = "Expected precision, recall and F1") -> Drawing:
    """A line for each measure, with a band where it has bounds, over the number of documents on a scale of ratios.

    >>> values = {f"{name}{end}": [0.9, 0.5] for name in MEASURES for end in ("", "_low", "_high")}
    >>> picture = sweep_picture(pl.DataFrame({"cut": [1.0, 0.0], "count": [1, 10], **values}), 5)
    >>> len(picture.curves), len(picture.bands)
    (3, 3)
    """
    counts = sweep["count"].to_numpy()
    last = max(float(np.log(counts.max())), 1e-9)

    def x(count: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * float(np.log(max(count, 1))) / last

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value)

    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    labels = [Label(LEFT - 6, y(tick) + 4, f"{tick:.0%}", "tick", "end") for tick in ticks]
    for power in range(int(np.log10(counts.max())) + 1):
        label = f"{10**power:,}"
        fits = x(10**power) + len(label) * LETTER / 2 < WIDTH
        place = x(10**power) if fits else WIDTH - 2
        labels.append(Label(place, HEIGHT - BOTTOM + 18, label, "tick", "middle" if fits else "end"))
    labels.append(Label(WIDTH - RIGHT, HEIGHT - 6, "documents above the cut", "tick", "end"))
    bands, curves = [], []
    xs = [x(count) for count in counts]
    for number, (name, shown) in enumerate(MEASURES.items()):
        if f"{name}_low" in sweep.columns:
            upper = tuple(zip(xs, map(y, sweep[f"{name}_high"]), strict=True))
            lower = tuple(zip(xs, map(y, sweep[f"{name}_low"]), strict=True))
            bands.append(Band((*upper, *lower[::-1]), f"band {name}"))
        curves.append(Curve(tuple(zip(xs, map(y, sweep[name]), strict=True)), f"curve {name}"))
        labels.append(Label(LEFT + LEGEND * number, 16, f"— {shown}", name))
    lines: list[Line] = []
    if chosen:
        lines.append(Line(x(chosen), TOP - 10, x(chosen), HEIGHT - BOTTOM, "chosen"))
        told = f"┆ threshold: {counted(chosen, 'document')}"
        # Above its line where there is room, but beside the legend and inside the picture.
        half = len(told) * LETTER / 2
        place = min(max(x(chosen), LEFT + LEGEND * len(MEASURES) + half), WIDTH - half)
        labels.append(Label(place, 16, told, "chosen", "middle"))
    return Drawing(
        WIDTH,
        HEIGHT,
        title,
        grid=tuple(Line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "grid") for tick in ticks),
        bands=tuple(bands),
        curves=tuple(curves),
        lines=tuple(lines),
        labels=tuple(labels),
    )
