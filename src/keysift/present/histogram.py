"""The distribution of scores: documents with a keyword above the axis, without below, the threshold marked."""

import numpy as np
from numpy.typing import NDArray

from keysift.present.drawing import Bar, Drawing, Label, Line
from keysift.present.wording import counted

WIDTH, HALF, BINS = 900, 120, 60
LEFT, RIGHT = 12, 12
MIDDLE = HALF + 46


def score_histogram(scores: NDArray[np.float64], matched: NDArray[np.bool_], threshold: float) -> Drawing:
    """The two distributions, each scaled to its own highest bar.

    >>> picture = score_histogram(np.array([0.0, 1.0, 2.0]), np.array([False, True, True]), 0.5)
    >>> [bar.kind for bar in picture.bars]
    ['with', 'with', 'without']
    """
    low, high = float(min(scores.min(), threshold)), float(max(scores.max(), threshold))
    high = high if high > low else low + 1.0
    edges = np.linspace(low, high, BINS + 1)
    scale = (WIDTH - LEFT - RIGHT) / (high - low)

    def x(score: float) -> float:
        return LEFT + (score - low) * scale

    bars, labels = [], []
    for mask, up, name in ((matched, True, "with"), (~matched, False, "without")):
        counts = np.histogram(scores[mask], edges)[0]
        top = max(1, int(counts.max()))
        for start, stop, count in zip(edges, edges[1:], counts, strict=False):
            if not count:
                continue
            height = max(1.0, HALF * count / top)
            title = f"{counted(int(count), 'document')} {name} a keyword, score {start:.2f} to {stop:.2f}"
            width = max(1.0, x(stop) - x(start) - 1)
            bars.append(Bar(x(start), MIDDLE - height if up else MIDDLE, width, height, name, title))
        told = f"{counted(int(mask.sum()), 'document')} {name} a keyword (highest bar: {top:,})"
        labels.append(Label(LEFT, 14 if up else MIDDLE + HALF + 34, f"{'▲' if up else '▼'} {told}", "label"))
    ticks = [Label(x(tick), MIDDLE + HALF + 16, f"{tick:g}", "tick", "middle") for tick in _ticks(low, high)]
    at = x(threshold)
    right = at > WIDTH * 0.8
    cut = Label(at + (-6 if right else 6), 36, f"threshold {threshold:.2f}", "cut", "end" if right else "start")
    return Drawing(
        WIDTH,
        MIDDLE + HALF + 42,
        "Histogram of scores of documents with and without a keyword",
        bars=tuple(bars),
        lines=(
            Line(LEFT, MIDDLE, WIDTH - RIGHT, MIDDLE, "axis"),
            Line(at, 40, at, MIDDLE + HALF, "threshold"),
        ),
        labels=(*labels, *ticks, cut),
    )


def _ticks(low: float, high: float) -> list[float]:
    """About eight round numbers between two scores."""
    rough = (high - low) / 8
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [float(tick) for tick in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]
