from pathlib import Path

import numpy as np
import pytest

from benchmarks.decisions import audits
from benchmarks.decisions.rankings import Ranked
from benchmarks.paper import results


@pytest.fixture
def made() -> Ranked:
    rng = np.random.default_rng(0)
    labels = rng.random(800) < 0.3
    scores = rng.normal(size=800) + 2 * labels
    return Ranked("subj", scores, labels, rng.random(800) < 0.1 + 0.4 * labels, 1.5, scores[:100], labels[:100])


def test_a_block_of_audits_and_the_section(made: Ranked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audits, "BLOCK", 10)
    line = audits.simulate(made, "audit", 0)
    assert line["held"].keys() == {*audits.FIGURES, "recall bound"}
    assert all(7 <= times <= 10 for times in line["held"].values())
    assert line["truth"]["prevalence"] == pytest.approx(100 * made.labels.mean(), abs=0.001)
    assert line["f1"] > line["f1_own"] - 20
    assert line == audits.simulate(made, "audit", 0)
    path = tmp_path / "results.jsonl"
    results.append(path, line)
    section = audits.section(path)
    assert "| Subj | 10 | " in section
    assert "**Trial 1" not in section
    assert "| mean |" in section
