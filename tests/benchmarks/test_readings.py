from pathlib import Path

import pytest

from benchmarks.paper.datasets import SETS, find_data
from benchmarks.paper.readings import READINGS, run_set
from benchmarks.paper.results import read
from benchmarks.paper.systems import SYSTEMS

FOLDER = find_data()


def test_every_reading_is_of_a_system_and_of_sets_of_the_paper() -> None:
    for name, reading in READINGS.items():
        assert reading.system in SYSTEMS
        assert name.startswith(reading.system)
        assert set(reading.sets) <= set(SETS)


@pytest.mark.skipif(FOLDER is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data")
def test_readings_are_run_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert FOLDER is not None
    path = tmp_path / "readings.jsonl"
    run_set("ayi", FOLDER, path, trials=1)
    there = path.read_bytes()
    run_set("ayi", FOLDER, path, trials=1)
    assert path.read_bytes() == there
    assert {system for _, system, _ in read(path)} == {name for name, one in READINGS.items() if "ayi" in one.sets}
    assert capsys.readouterr().out.count("AYI, trial 0") == 1
