import json

import numpy as np
import pytest

from benchmarks.decisions import calibrate
from benchmarks.decisions.scored import ScoredTask
from benchmarks.paper import results
from keysift.decide.calibration import LEAKS, SHARPNESS, Calibration, shipped
from keysift.decide.curves import Family


def lines() -> list[dict[str, object]]:
    return list(results.read(calibrate.RESULTS).values())


def test_the_numbers_in_use_are_those_of_the_results() -> None:
    assert shipped() == calibrate.calibration_from(lines())
    assert json.loads(calibrate.SHIPPED.read_text()) == calibrate.plain(shipped())


def test_a_changed_number_is_noticed() -> None:
    assert (shipped().weight, shipped().tail, shipped().told_tail) == (0.7, 0.05, 0.02)
    assert len(shipped().sharpness) == len(SHARPNESS)
    assert len(shipped().leaks) == len(LEAKS)
    assert sum(shipped().sharpness) == pytest.approx(1, abs=1e-3)
    assert sum(shipped().leaks) == pytest.approx(1, abs=1e-3)


def made(corpus: str, odds: float) -> dict[str, object]:
    return {"corpus": corpus, "log_odds": odds, "group": 0.5, "trust": 0.0, "sharpness": 2.5, "leak": 0.05}


def test_each_corpus_has_the_same_say() -> None:
    few = [made("a", -3.0), made("b", -2.0), made("c", -1.0)]
    many = [*few, *[made("c", -1.0)] * 9]
    assert calibrate.calibration_from(few).log_odds == pytest.approx(-2.0)
    assert calibrate.calibration_from(many).log_odds == pytest.approx(-2.0)
    assert calibrate.without(many, "c").corpora == 2


def test_the_interval_holds_nine_corpora_of_ten() -> None:
    rng = np.random.default_rng(0)
    held = []
    for _ in range(200):
        odds = rng.normal(-2, 1.2, size=21)
        seen: Calibration = calibrate.calibration_from([made(str(place), one) for place, one in enumerate(odds[1:])])
        held.append(abs(odds[0] - seen.log_odds) <= seen.half_width)
    assert 0.85 <= np.mean(held) <= 0.97


def test_the_shape_of_a_ranking_is_found() -> None:
    scores = np.sort(np.random.default_rng(0).normal(size=4000))[::-1]
    place = SHARPNESS.index(2.5) * len(LEAKS) + LEAKS.index(0.15)
    chances = Family.over(scores, np.array([0.3])).at(scores)[place]
    labels = np.random.default_rng(1).random(4000) < chances
    line = calibrate.measure(ScoredTask("made", "made", scores, labels, 100))
    assert line["sharpness"] in (1.6, 2.5, 4.0)
    assert line["leak"] in (0.05, 0.15, 0.4)
