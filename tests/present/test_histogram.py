import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.present.drawing import Drawing
from keysift.present.histogram import BARS, score_histogram
from tests.present.pictures import check_both


@pytest.mark.parametrize(
    ("scores", "threshold"), [([0.0, 1.0, 5.0], 0.5), ([2.0, 2.0, 2.0], 2.0), ([0.0, 1.0, 2.0], 90.0), ([1e-9], 0.0)]
)
def test_every_document_is_drawn_and_the_threshold_is_inside(scores: list[float], threshold: float) -> None:
    values = np.array(scores)
    for picture in check_both(score_histogram(values, values > 1.0, threshold)):
        assert sum(drawn(picture)) == len(scores)
        (line,) = [line for line in picture.lines if line.kind == "threshold"]
        assert 0 <= line.x1 <= picture.width
        assert any(label.text == f"threshold {threshold:.2f}" for label in picture.labels)


@given(st.integers(1, 200), st.integers(1, 20_000), st.integers(0, 2**32 - 1))
def test_both_halves_have_one_scale(with_keyword: int, without: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = np.concatenate([rng.normal(3, 2, with_keyword), rng.normal(0, 1, without)])
    matched = np.arange(len(scores)) < with_keyword
    for picture in check_both(score_histogram(scores, matched, 1.0)):
        (axis,) = [line for line in picture.lines if line.kind == "axis"]
        units = [bar.height / np.sqrt(count) for bar, count in zip(picture.bars, drawn(picture), strict=True)]
        high = [unit for unit, bar in zip(units, picture.bars, strict=True) if bar.height > 1]
        np.testing.assert_allclose(high, high[0])
        assert sum(max(bar.height for bar in picture.bars if bar.kind == kind) for kind in ("with", "without")) <= (
            BARS + 1e-9
        )
        for bar in picture.bars:
            assert (bar.y if bar.kind == "without" else bar.y + bar.height) == pytest.approx(axis.y1)
        # A line of the grid is where a bar of that many documents ends, above the axis and below it.
        for line, label in zip(picture.grid, numbers(picture), strict=True):
            assert abs(line.y1 - axis.y1) == pytest.approx(high[0] * np.sqrt(label))
        sides = [
            {
                number
                for line, number in zip(picture.grid, numbers(picture), strict=True)
                if (line.y1 < axis.y1) == above
            }
            for above in (True, False)
        ]
        assert sides[0] <= sides[1] or sides[1] <= sides[0]  # the lower half has no number that the higher one lacks


def test_a_scale_has_numbers_and_no_negative_zero() -> None:
    scores = np.concatenate([np.linspace(-4, 2, 5000), np.linspace(0, 9, 40)])
    for picture in check_both(score_histogram(scores, np.arange(5040) >= 5000, 0.5)):
        assert len(numbers(picture)) >= 2
        ticks = [label.text for label in picture.labels if label.anchor == "middle"]
        assert "0" in ticks
        assert "-0" not in ticks


def drawn(picture: Drawing) -> list[int]:
    """How many documents each bar stands for."""
    return [int(bar.title.split()[0].replace(",", "")) for bar in picture.bars]


def numbers(picture: Drawing) -> list[int]:
    """The numbers of the scale."""
    return [int(one.text.replace(",", "")) for one in picture.labels if (one.kind, one.anchor) == ("tick", "end")]
