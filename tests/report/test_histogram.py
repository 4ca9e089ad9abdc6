import numpy as np
import pytest

from keysift.report.histogram import score_histogram


@pytest.mark.parametrize(
    ("scores", "threshold"), [([0.0, 1.0, 5.0], 0.5), ([2.0, 2.0, 2.0], 2.0), ([0.0, 1.0, 2.0], 90.0), ([1e-9], 0.0)]
)
def test_every_document_is_drawn_and_the_threshold_is_inside(scores: list[float], threshold: float) -> None:
    values = np.array(scores)
    picture = score_histogram(values, values > 1.0, threshold)
    drawn = [node.text or "" for rect in picture.findall("rect") for node in rect.findall("title")]
    assert sum(int(text.split()[0].replace(",", "")) for text in drawn) == len(scores)
    (line,) = [node for node in picture.findall("line") if node.get("class") == "threshold"]
    width = float(picture.attrib["viewBox"].split()[2])
    assert 0 <= float(line.attrib["x1"]) <= width
    assert any(f"threshold {threshold:.2f}" == node.text for node in picture.findall("text"))
