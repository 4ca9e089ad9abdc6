from pathlib import Path

import numpy as np
import polars as pl
import pytest

from keysift.posteriors import Posterior
from keysift.report.sweep_page import HEIGHT, LEFT, MEASURES, RIGHT, WIDTH, sweep_picture, write_sweep


def sweep_of(documents: int) -> pl.DataFrame:
    knots = np.linspace(-3, 3, 50)
    rows = np.stack([1 / (1 + np.exp(-2 * knots - shift)) for shift in (-1, 0, 1)])
    return Posterior(knots, rows, "a test").sweep(np.random.default_rng(0).normal(size=documents), 20)


def test_the_page_has_every_cut_and_escapes_all_text(tmp_path: Path) -> None:
    attack, sweep = "<script>alert(1)</script>", sweep_of(500)
    path = tmp_path / "sweep.html"
    write_sweep(path, sweep, 120, source=attack, prior=attack, basis=attack)
    html = path.read_text(encoding="utf-8")
    assert "<script" not in html
    assert html.count("&lt;script&gt;alert(1)") == 4  # the title, and once each
    assert html.count("<tr>") == 1 + len(sweep)
    for row in sweep.iter_rows(named=True):
        assert f"{row['precision']:.0%} ({row['precision_low']:.0%} to {row['precision_high']:.0%})" in html
    assert "threshold: 120 documents" in html
    assert "default-src 'none'" in html
    assert "http:" not in html.replace("http-equiv", "")


@pytest.mark.parametrize("documents", [1, 2, 3, 9, 10, 11, 500, 20_000])
def test_everything_is_inside_the_picture_and_labels_are_apart(documents: int) -> None:
    sweep = sweep_of(documents)
    for chosen in {0, 1, documents // 3, documents}:
        picture = sweep_picture(sweep, chosen)
        for kind, number in (("polyline", len(sweep)), ("polygon", 2 * len(sweep))):
            shapes = picture.findall(kind)
            assert len(shapes) == len(MEASURES)
            for shape in shapes:
                points = np.array([pair.split(",") for pair in shape.attrib["points"].split()], dtype=float)
                assert points.shape == (number, 2)
                assert (points[:, 0] >= LEFT).all()
                assert (points[:, 0] <= WIDTH - RIGHT).all()
                assert (points >= 0).all()
                assert (points[:, 1] <= HEIGHT).all()
        told = [text for text in picture.findall("text") if text.attrib.get("class") == "chosen"]
        assert [text.text for text in told] == (
            [] if not chosen else [f"┆ threshold: {chosen:,} document" + "s" * (chosen != 1)]
        )
        assert len(boxes(picture)) >= 9
        for place, one in enumerate(boxes(picture)):
            assert one[0] >= 0
            assert one[1] <= WIDTH
            for other in boxes(picture)[:place]:
                apart = one[1] <= other[0] or other[1] <= one[0] or abs(one[2] - other[2]) >= 13
                assert apart, (documents, chosen, one, other)


def boxes(picture: object) -> list[tuple[float, float, float, str]]:
    """From where to where each label goes, and at what height, with 7.5 a letter."""
    found = []
    for text in picture.findall("text"):  # type: ignore[attr-defined]
        x, wide = float(text.attrib["x"]), 7.5 * len(text.text)
        start = x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.attrib.get("text-anchor", "start")]
        found.append((start, start + wide, float(text.attrib["y"]), text.text))
    return found


def test_the_curve_is_where_the_values_are() -> None:
    values = {f"{name}{end}": [1.0, 0.0] for name in MEASURES for end in ("", "_low", "_high")}
    picture = sweep_picture(pl.DataFrame({"cut": [1.0, 0.0], "count": [1, 100], **values}), 10)
    curve = picture.find("polyline")
    line = next(node for node in picture.findall("line") if node.attrib["class"] == "chosen")
    assert curve is not None
    (left, top), (right, bottom) = (
        [float(number) for number in pair.split(",")] for pair in curve.attrib["points"].split()
    )
    assert (left, right) == (LEFT, WIDTH - RIGHT)
    assert top < bottom
    assert float(line.attrib["x1"]) == pytest.approx((left + right) / 2)  # ten is half of a hundred on this scale
