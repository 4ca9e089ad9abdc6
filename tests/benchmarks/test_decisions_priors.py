from pathlib import Path

import pytest

from benchmarks.decisions import priors
from benchmarks.paper import results
from benchmarks.paper.datasets import find_data
from benchmarks.quality.tasks import TASKS

needs_data = pytest.mark.skipif(
    find_data() is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data"
)


def line(name: str, trial: int, estimate: float, low: float, high: float) -> dict[str, object]:
    return {
        "set": name,
        "system": priors.SYSTEM,
        "trial": trial,
        "truth": 0.5,
        "estimate": estimate,
        "low": low,
        "high": high,
        "heuristic": 0.1,
        "f1": 70.0,
        "f1_heuristic": 60.0,
        "f1_truth": 71.0,
    }


def test_the_section_sums_up_each_family(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    results.append(path, line("ayi", 0, 0.4, 0.3, 0.6))
    results.append(path, line("ayi", 1, 0.8, 0.7, 0.9))
    results.append(path, line("sci.med", 0, 0.5, 0.4, 0.6))
    text = priors.section(path)
    assert "Mean absolute error 0.200 (wanted: at most 0.1), of the heuristic 0.400." in text
    assert "holds the truth in 50% of 2 fits and is 0.25 wide" in text
    assert "Macro F1 is 10.0 points above" in text
    assert "| AYI | 2 | 0.500 | 0.600 | 0.50 to 0.75 | 0.100 | 70.0 | 60.0 | 71.0 |" in text
    assert "holds the truth in 100% of 1 fits" in text


@needs_data
def test_a_fit_becomes_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(priors, "TRIALS", {"five": 1})
    monkeypatch.setattr(priors, "TASKS", {"ayi": TASKS["ayi"]})
    path = tmp_path / "results.jsonl"
    assert priors.main(["--family", "five", "--results", str(path)]) == 0
    (found,) = results.read(path).values()
    assert found["low"] <= found["estimate"] <= found["high"]
    assert abs(found["estimate"] - found["truth"]) < abs(found["heuristic"] - found["truth"])
    before = path.read_bytes()
    assert priors.main(["--family", "five", "--results", str(path)]) == 0
    assert path.read_bytes() == before  # what is there is not run again
