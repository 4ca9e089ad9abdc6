import numpy as np
import polars as pl
import pytest

from keysift.decide.posterior import Posterior
from keysift.present.curves import LEFT, MEASURES, RIGHT, sweep_picture
from tests.present.pictures import check_both


def sweep_of(documents: int) -> pl.DataFrame:
    knots = np.linspace(-3, 3, 50)
    rows = np.stack([1 / (1 + np.exp(-2 * knots - shift)) for shift in (-1, 0, 1)])
    return Posterior(knots, rows, np.array([0.3, 0.5, 0.7]), 0.0, "a test").sweep(
        np.random.default_rng(0).normal(size=documents), 20
    )


@pytest.mark.parametrize("documents", [1, 2, 3, 9, 10, 11, 500, 20_000, 150_000])
def test_everything_is_inside_the_picture_and_labels_are_apart(documents: int) -> None:
    sweep = sweep_of(documents)
    for chosen in {0, 1, documents // 3, documents}:
        for picture in check_both(sweep_picture(sweep, chosen)):
            assert [len(shape.points) for shape in picture.curves] == [len(sweep)] * len(MEASURES)
            assert [len(shape.points) for shape in picture.bands] == [2 * len(sweep)] * len(MEASURES)
            told = [label.text for label in picture.labels if label.kind == "chosen"]
            assert told == ([] if not chosen else [f"┆ threshold: {chosen:,} document" + "s" * (chosen != 1)])
            assert len(picture.labels) >= 9


def test_the_curve_is_where_the_values_are() -> None:
    values = {f"{name}{end}": [1.0, 0.0] for name in MEASURES for end in ("", "_low", "_high")}
    sweep = pl.DataFrame({"cut": [1.0, 0.0], "count": [1, 100], **values})
    for picture in check_both(sweep_picture(sweep, 10)):
        (left, top), (right, bottom) = picture.curves[0].points
        (line,) = picture.lines
        assert (left, right) == (LEFT, picture.width - RIGHT)
        assert top < bottom
        assert line.x1 == pytest.approx((left + right) / 2)  # ten is half of a hundred on this scale
