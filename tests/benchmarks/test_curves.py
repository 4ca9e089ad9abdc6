from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.decisions import curves
from benchmarks.paper import results
from benchmarks.quality.tasks import TASKS, Problem


@pytest.fixture
def made(texts: list[str], is_sports: NDArray[np.bool_], monkeypatch: pytest.MonkeyPatch) -> Problem:
    labels, half = is_sports.astype(np.int64), len(texts) // 2
    task = TASKS["rec.sport.hockey"]
    rows = np.arange(len(texts))
    problem = Problem(
        task, 1, rows[:half], rows[half:], tuple(texts[:half]), tuple(texts[half:]), labels[:half], labels[half:]
    )
    monkeypatch.setattr(curves, "problem", lambda task, trial: problem)
    curves._first.cache_clear()
    return problem


@pytest.mark.usefixtures("small_glove", "made")
def test_a_fit_and_the_section(tmp_path: Path) -> None:
    line = curves.run_one("subj", 1, 25)
    assert line["after"] >= line["before"] - 1
    assert line["labels_alone"] > 50
    assert 0 < line["relevant"] < 25
    path = tmp_path / "results.jsonl"
    for number in curves.LABELS[:-1]:
        results.append(path, {**line, "system": f"{number} labels"})
    assert "| Subj |" not in curves.section(path)  # not whole yet
    results.append(path, {**line, "system": f"{curves.LABELS[-1]} labels"})
    after, alone = (f"{line[field]:.1f}" for field in ("after", "labels_alone"))
    assert f"| Subj | 1 | {line['before']:.1f} | {after} ({alone}) |" in curves.section(path)
    assert "| mean |" in curves.section(path)
