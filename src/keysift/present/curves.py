"""Precision, recall and F1 over the number of documents above the cut: expected, with bands, or measured."""

import numpy as np
import polars as pl

from keysift.present.drawing import LETTER, Band, Curve, Drawing, Label, Line, for_both, legend
from keysift.present.wording import counted

PLOT, LEFT, RIGHT, BOTTOM = 242, 48, 12, 44
"""How high the field of the curves is, and the room beside and below it."""
MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}


def sweep_picture(sweep: pl.DataFrame, chosen: int, title: str = "Expected precision, recall and F1") -> Drawing:
    """A line for each measure, with a band where it has bounds, over the number of documents on a scale of ratios.

    >>> values = {f"{name}{end}": [0.9, 0.5] for name in MEASURES for end in ("", "_low", "_high")}
    >>> picture = sweep_picture(pl.DataFrame({"cut": [1.0, 0.0], "count": [1, 10], **values}), 5)
    >>> len(picture.curves), len(picture.bands)
    (3, 3)
    """
    return for_both(lambda width: _picture(sweep, chosen, title, width))


def _picture(sweep: pl.DataFrame, chosen: int, title: str, width: float) -> Drawing:
    counts = sweep["count"].to_numpy()
    last = max(float(np.log(counts.max())), 1e-9)
    told = [(f"┆ threshold: {counted(chosen, 'document')}", "chosen")] if chosen else []
    names = legend([*((f"— {shown}", name) for name, shown in MEASURES.items()), *told], width)
    top = names[-1].y + 18
    height = top + PLOT + BOTTOM

    def x(count: float) -> float:
        return LEFT + (width - LEFT - RIGHT) * float(np.log(max(count, 1))) / last

    def y(value: float) -> float:
        return top + PLOT * (1 - value)

    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    labels = [Label(LEFT - 6, y(tick) + 4, f"{tick:.0%}", "tick", "end") for tick in ticks]
    free = width + LETTER
    for power in reversed(range(int(np.log10(counts.max())) + 1)):
        label = f"{10**power:,}"
        half = len(label) * LETTER / 2
        place = min(x(10**power), width - half)
        if place + half + LETTER <= free:  # on a phone there is no room for all of them
            labels.append(Label(place, height - BOTTOM + 18, label, "tick", "middle"))
            free = place - half
    labels.append(Label(width - RIGHT, height - 6, "documents above the cut", "tick", "end"))
    bands, curves = [], []
    xs = [x(count) for count in counts]
    for name in MEASURES:
        if f"{name}_low" in sweep.columns:
            upper = tuple(zip(xs, map(y, sweep[f"{name}_high"]), strict=True))
            lower = tuple(zip(xs, map(y, sweep[f"{name}_low"]), strict=True))
            bands.append(Band((*upper, *lower[::-1]), f"band {name}"))
        curves.append(Curve(tuple(zip(xs, map(y, sweep[name]), strict=True)), f"curve {name}"))
    return Drawing(
        width,
        height,
        title,
        grid=tuple(Line(LEFT, y(tick), width - RIGHT, y(tick), "grid") for tick in ticks),
        bands=tuple(bands),
        curves=tuple(curves),
        lines=(Line(x(chosen), top - 8, x(chosen), height - BOTTOM, "chosen"),) if chosen else (),
        labels=(*names, *labels),
    )
