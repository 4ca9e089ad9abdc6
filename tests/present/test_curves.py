import numpy as np
import polars as pl
import pytest

from keysift.decide.posterior import Posterior
from keysift.present.curves import HEIGHT, LEFT, MEASURES, RIGHT, WIDTH, sweep_picture
from keysift.present.drawing import Drawing


def sweep_of(documents: int) -> pl.DataFrame:
    knots = np.linspace(-3, 3, 50)
    rows = np.stack([1 / (1 + np.exp(-2 * knots - shift)) for shift in (-1, 0, 1)])
    return Posterior(knots, rows, np.array([0.3, 0.5, 0.7]), 0.0, "a test").sweep(
        np.random.default_rng(0).normal(size=documents), 20
    )


@pytest.mark.parametrize("documents", [1, 2, 3, 9, 10, 11, 500, 20_000])
def test_everything_is_inside_the_picture_and_labels_are_apart(documents: int) -> None:
    sweep = sweep_of(documents)
    for chosen in {0, 1, documents // 3, documents}:
        picture = sweep_picture(sweep, chosen)
        assert len(picture.curves) == len(picture.bands) == len(MEASURES)
        shapes = [(shape.points, len(sweep)) for shape in picture.curves]
        for points, number in (*shapes, *((shape.points, 2 * len(sweep)) for shape in picture.bands)):
            places = np.array(points)
            assert places.shape == (number, 2)
            assert (places[:, 0] >= LEFT).all()
            assert (places[:, 0] <= WIDTH - RIGHT + 1e-9).all()
            assert (places >= 0).all()
            assert (places[:, 1] <= HEIGHT).all()
        told = [label.text for label in picture.labels if label.kind == "chosen"]
        assert told == ([] if not chosen else [f"┆ threshold: {chosen:,} document" + "s" * (chosen != 1)])
        assert len(boxes(picture)) >= 9
        for place, one in enumerate(boxes(picture)):
            assert one[0] >= 0
            assert one[1] <= WIDTH
            for other in boxes(picture)[:place]:
                apart = one[1] <= other[0] or other[1] <= one[0] or abs(one[2] - other[2]) >= 13
                assert apart, (documents, chosen, one, other)


def boxes(picture: Drawing) -> list[tuple[float, float, float, str]]:
    """From where to where each label goes, and at what height, with 7.5 a letter."""
    found = []
    for label in picture.labels:
        wide = 7.5 * len(label.text)
        start = label.x - {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
        found.append((start, start + wide, label.y, label.text))
    return found


def test_the_curve_is_where_the_values_are() -> None:
    values = {f"{name}{end}": [1.0, 0.0] for name in MEASURES for end in ("", "_low", "_high")}
    picture = sweep_picture(pl.DataFrame({"cut": [1.0, 0.0], "count": [1, 100], **values}), 10)
    (left, top), (right, bottom) = picture.curves[0].points
    (line,) = picture.lines
    assert (left, right) == (LEFT, WIDTH - RIGHT)
    assert top < bottom
    assert line.x1 == pytest.approx((left + right) / 2)  # ten is half of a hundred on this scale
