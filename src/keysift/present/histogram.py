"""The distribution of scores: documents with a keyword above the axis, without below, the threshold marked.

Keywords are often in a small share of the documents. So both halves have one scale, on which a bar is as high as the
square root of its number: a small one can be seen beside one a hundred times as large.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from keysift.present.drawing import LETTER, NARROW, Bar, Drawing, Label, Line, for_both
from keysift.present.wording import counted

BARS, TOP, BOTTOM, RIGHT = 250, 48, 44, 12
"""How high the highest bars of the two halves are together, and the room around them."""
BIN = 14
"""How wide a bar is, with the space beside it."""
APART = 20
"""Lines of the scale are so far from each other."""
SCALE = "Both sides have the same scale, of square roots, so that small numbers can be seen beside large ones."


def score_histogram(scores: NDArray[np.float64], matched: NDArray[np.bool_], threshold: float) -> Drawing:
    """The two distributions on one scale.

    >>> picture = score_histogram(np.array([0.0, 1.0, 2.0]), np.array([False, True, True]), 0.5)
    >>> [bar.kind for bar in picture.bars]
    ['with', 'with', 'without']
    """
    return for_both(lambda width: _picture(scores, matched, threshold, width))


def _picture(scores: NDArray[np.float64], matched: NDArray[np.bool_], threshold: float, width: float) -> Drawing:
    low, high = float(min(scores.min(), threshold)), float(max(scores.max(), threshold))
    high = high if high > low else low + 1.0
    edges = np.linspace(low, high, int(width / BIN) + 1)
    halves = [np.histogram(scores[mask], edges)[0] for mask in (matched, ~matched)]
    tops = [max(1, int(counts.max())) for counts in halves]
    unit = BARS / sum(np.sqrt(tops))
    numbers = list(_round_numbers(max(tops), unit))
    middle = TOP + unit * float(np.sqrt(tops[0]))
    bottom = TOP + BARS
    left = (len(f"{max(tops):,}") + 1) * LETTER

    def x(score: float) -> float:
        return left + (score - low) * (width - left - RIGHT) / (high - low)

    bars, grid, labels = [], [], []
    for counts, top, mask, up in zip(halves, tops, (matched, ~matched), (True, False), strict=True):
        name, sign = ("with", -1) if up else ("without", 1)
        for start, stop, count in zip(edges, edges[1:], counts, strict=False):
            if count:
                height = max(1.0, unit * float(np.sqrt(count)))
                title = f"{counted(int(count), 'document')} {name} a keyword, score {start:.2f} to {stop:.2f}"
                place = middle - height if up else middle
                bars.append(Bar(x(start), place, max(1.0, x(stop) - x(start) - 1), height, name, title))
        for number in (one for one in numbers if one <= top):
            y = middle + sign * unit * float(np.sqrt(number))
            grid.append(Line(left, y, width - RIGHT, y, "grid"))
            labels.append(Label(left - 6, y + 4, f"{number:,}", "tick", "end"))
        told = f"{'▲' if up else '▼'} {counted(int(mask.sum()), 'document')} {name} a keyword"
        labels.append(Label(0, 14 if up else bottom + 38, told, "label"))
    free = 0.0
    for tick in _ticks(low, high):
        half = len(f"{tick:g}") * LETTER / 2
        if free <= x(tick) - half and x(tick) + half <= width:
            labels.append(Label(x(tick), bottom + 18, f"{tick:g}", "tick", "middle"))
            free = x(tick) + half
    at = x(threshold)
    right = at > width * (0.8 if width > NARROW else 0.6)
    cut = Label(at + (-6 if right else 6), 36, f"threshold {threshold:.2f}", "cut", "end" if right else "start")
    return Drawing(
        width,
        bottom + BOTTOM,
        "Histogram of scores of documents with and without a keyword",
        grid=tuple(grid),
        bars=tuple(bars),
        lines=(Line(left, middle, width - RIGHT, middle, "axis"), Line(at, 26, at, bottom, "threshold")),
        labels=(*labels, cut),
    )


def _round_numbers(top: int, unit: float) -> Iterator[int]:
    """Numbers of documents to draw a line at, from the highest bar down, far enough apart and from the axis.

    >>> list(_round_numbers(527, 10.0)), list(_round_numbers(37, 10.0)), list(_round_numbers(1, 5.0))
    ([500, 200, 100, 50, 20, 5], [20, 5], [])
    """
    free = float("inf")
    for power in reversed(range(int(np.log10(top)) + 1)):
        for factor in (5, 2, 1):
            number = factor * 10**power
            height = unit * float(np.sqrt(number))
            if number <= top and APART <= height <= free - APART:
                yield number
                free = height


def _ticks(low: float, high: float) -> list[float]:
    """About eight round numbers between two scores.

    >>> _ticks(-3.9, 9.2)
    [-2.0, 0.0, 2.0, 4.0, 6.0, 8.0]
    """
    rough = (high - low) / 8
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [float(tick) for tick in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step + 0.0]
