from pathlib import Path

import numpy as np
import pytest

from benchmarks.decisions import asking, calibrate, priors
from benchmarks.decisions.scored import ScoredTask, macro_f1, scored_tasks
from benchmarks.paper import results
from keysift.decide.calibration import shipped


def made(name: str = "made", share: float = 0.2, documents: int = 400) -> ScoredTask:
    rng = np.random.default_rng(0)
    labels = rng.random(documents) < share
    scores = rng.normal(size=documents) + 2 * labels
    order = np.argsort(-scores)
    return ScoredTask(name, name, scores[order], labels[order], 10)


def test_macro_f1_by_hand() -> None:
    labels = np.array([True, True, False, False])
    assert macro_f1(labels, labels) == 100
    assert macro_f1(labels, np.array([True, False, False, False])) == pytest.approx(50 * (2 / 3 + 4 / 5))
    assert macro_f1(labels, np.zeros(4, dtype=bool)) == pytest.approx(50 * 2 / 3)


def test_a_task_without_an_answer(tmp_path: Path) -> None:
    line = priors.run_one(made(), shipped())
    assert line["truth"] == pytest.approx(0.2, abs=0.05)
    assert line["prior"][1] < line["prior"][0] < line["prior"][2]
    assert line["f1"] <= 100
    path = tmp_path / "lines.jsonl"
    results.append(path, line)
    assert "| made |" in priors.section(path)
    assert "On 1 tasks" in priors.sentence(path)


def test_a_task_with_answers(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    for answers in (20, 50):
        line = asking.run_one(made(), answers, shipped(), draws=4)
        assert line["error"] < 0.2
        assert all(0 <= one <= 1 for one in line["held"])
        results.append(path, line)
    assert "| 20 | 1 |" in asking.section(path)
    assert asking.sentence(path).startswith("With 20 answers 0.")


def test_tasks_are_read_best_first(tmp_path: Path) -> None:
    for name, family in (("one", "suite"), ("two", "five")):
        np.savez(
            tmp_path / f"{name}.npz",
            scores=np.array([0.0, 2.0, 1.0]),
            labels=np.array([False, True, False]),
            weights=np.array([0.0, 1.0, 0.0]),
            family=family,
            corpus="corpus",
        )
    (task,) = scored_tasks(tmp_path)
    assert (task.name, task.scores.tolist(), task.labels.tolist()) == ("one", [2, 1, 0], [True, False, False])
    assert (task.corpus, task.holders, round(task.prior, 3)) == ("corpus", 1, 0.333)


def test_nothing_to_calibrate_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate.main(["--scores", str(tmp_path)]) == 2
    assert "run the suite's bench first" in capsys.readouterr().err
