import numpy as np
import pytest

from keysift.present.simulation import recall_picture, ways
from keysift.review.recall import RecallCurve
from keysift.review.simulation import Simulation
from tests.present.pictures import check_both


@pytest.mark.parametrize("documents", [2, 500, 12_000, 250_000])
def test_the_picture_can_be_read_on_a_desk_and_on_a_phone(documents: int) -> None:
    found = np.arange(documents) % 2 == 0
    curve, chance = RecallCurve.of(found), RecallCurve.expected(documents, int(found.sum()))
    simulation = Simulation(np.arange(documents), curve, curve, chance, fits=1)
    for picture in check_both(recall_picture(simulation)):
        told = [label.text for label in picture.labels]
        assert {f"— {name}" for name in ways(simulation)} | {"0", f"{documents:,}", "100%"} <= set(told)
