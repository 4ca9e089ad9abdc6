import numpy as np
import pytest

from keysift.present.histogram import score_histogram


@pytest.mark.parametrize(
    ("scores", "threshold"), [([0.0, 1.0, 5.0], 0.5), ([2.0, 2.0, 2.0], 2.0), ([0.0, 1.0, 2.0], 90.0), ([1e-9], 0.0)]
)
def test_every_document_is_drawn_and_the_threshold_is_inside(scores: list[float], threshold: float) -> None:
    values = np.array(scores)
    picture = score_histogram(values, values > 1.0, threshold)
    assert sum(int(bar.title.split()[0].replace(",", "")) for bar in picture.bars) == len(scores)
    (line,) = [line for line in picture.lines if line.kind == "threshold"]
    assert 0 <= line.x1 <= picture.width
    assert any(label.text == f"threshold {threshold:.2f}" for label in picture.labels)
