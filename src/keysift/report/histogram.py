"""The distribution of scores: documents with a keyword above the axis, without below, the threshold marked."""

from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from keysift.report.html import element

__all__ = ["score_histogram"]

WIDTH, HALF, BINS = 900, 120, 60
LEFT, RIGHT = 12, 12


def score_histogram(scores: NDArray[np.float64], matched: NDArray[np.bool_], threshold: float) -> ET.Element:
    """A drawing of the two distributions, each scaled to its own highest bar.

    >>> picture = score_histogram(np.array([0.0, 1.0, 2.0]), np.array([False, True, True]), 0.5)
    >>> picture.tag, len(picture.findall("rect"))
    ('svg', 3)
    """
    low, high = float(min(scores.min(), threshold)), float(max(scores.max(), threshold))
    high = high if high > low else low + 1.0
    edges = np.linspace(low, high, BINS + 1)
    scale = (WIDTH - LEFT - RIGHT) / (high - low)

    def x(score: float) -> float:
        return LEFT + (score - low) * scale

    middle = HALF + 46
    nodes: list[ET.Element] = []
    for mask, direction, name in ((matched, -1, "with"), (~matched, 1, "without")):
        counts = np.histogram(scores[mask], edges)[0]
        top = max(1, int(counts.max()))
        for start, stop, count in zip(edges, edges[1:], counts, strict=False):
            if count:
                height = max(1.0, HALF * count / top)
                nodes.append(
                    element(
                        "rect",
                        element("title", f"{count:,} documents {name} a keyword, score {start:.2f} to {stop:.2f}"),
                        class_=name,
                        attributes={
                            "x": f"{x(start):.1f}",
                            "width": f"{max(1.0, x(stop) - x(start) - 1):.1f}",
                            "y": f"{middle - height if direction < 0 else middle:.1f}",
                            "height": f"{height:.1f}",
                        },
                    )
                )
        label_y = 14 if direction < 0 else middle + HALF + 34
        text = f"{'▲' if direction < 0 else '▼'} {int(mask.sum()):,} documents {name} a keyword (highest bar: {top:,})"
        nodes.append(element("text", text, class_="label", x=str(LEFT), y=str(label_y)))
    nodes.append(_line(LEFT, middle, WIDTH - RIGHT, middle, "axis"))
    for tick in _ticks(low, high):
        nodes.append(
            element(
                "text",
                f"{tick:g}",
                class_="tick",
                x=f"{x(tick):.1f}",
                y=str(middle + HALF + 16),
                text_anchor="middle",
            )
        )
    at = x(threshold)
    nodes.append(_line(at, 40, at, middle + HALF, "threshold"))
    right_side = at > WIDTH * 0.8
    nodes.append(
        element(
            "text",
            f"threshold {threshold:.2f}",
            class_="cut",
            x=f"{at + (-6 if right_side else 6):.1f}",
            y="36",
            text_anchor="end" if right_side else "start",
        )
    )
    return element(
        "svg",
        *nodes,
        attributes={
            "viewBox": f"0 0 {WIDTH} {middle + HALF + 42}",
            "role": "img",
            "aria-label": "Histogram of scores of documents with and without a keyword",
        },
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> ET.Element:
    return element("line", class_=kind, x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}")


def _ticks(low: float, high: float) -> list[float]:
    """About eight round numbers between two scores."""
    rough = (high - low) / 8
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [float(tick) for tick in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]
