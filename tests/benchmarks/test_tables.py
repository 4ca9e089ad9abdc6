from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.paper.datasets import SETS
from benchmarks.paper.explanations import UNEXPLAINED, Note, explain
from benchmarks.paper.results import Key
from benchmarks.paper.systems import SYSTEMS
from benchmarks.paper.tables import document, summary, write

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'keysift[bench]'")

MEASURES = ("auc", "f1", "acc", "prec100", "f1_default", "acc_default", "f1_heuristic", "acc_heuristic")


@pytest.fixture(scope="module")
def results() -> dict[Key, dict[str, Any]]:
    """Three made-up trials of two sets; the networks are missing from one of them."""
    rng = np.random.default_rng(0)
    lines: dict[Key, dict[str, Any]] = {}
    for name in ("ayi", "20ng"):
        for system in SYSTEMS if name == "ayi" else ("NB", "keysift"):
            for trial in range(3):
                line: dict[str, Any] = {measure: float(rng.uniform(60, 90)) for measure in MEASURES}
                line |= {f"{measure}_sweep": rng.uniform(40, 80, 10).tolist() for measure in ("f1", "acc")}
                line |= {
                    "prec100_range": [50.0, 95.0],
                    "seconds": 1.5,
                    "tp": 400,
                    "fp": 100,
                    "fn": 700,
                    "tn": 1000,
                    "test": [278, 273],
                }
                lines[name, system, trial] = {"set": name, "system": system, "trial": trial, **line}
    return lines


def test_the_documents_are_the_same_byte_for_byte(results: dict[Key, dict[str, Any]], tmp_path: Path) -> None:
    backwards = dict(reversed(results.items()))
    write(results, tmp_path / "one")
    write(backwards, tmp_path / "two")
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    assert [str(file) for file in files] == ["RESULTS.md", "plots/20ng.svg", "plots/ayi.svg"]
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_every_cell_that_differs_is_explained_or_said_not_to_be(results: dict[Key, dict[str, Any]]) -> None:
    text = document(results)
    tables = text.split("\n\n")
    for place, table in enumerate(tables):
        if table.startswith("| ") and "†" in table and "/" not in table:
            assert tables[place + 1].startswith("- † ")
    assert UNEXPLAINED in text
    assert "<sub>n=3</sub>" in text


def test_the_summary_has_a_row_for_every_system(results: dict[Key, dict[str, Any]]) -> None:
    rows = summary(results).split("\n")
    assert rows[0] == "|  | " + " | ".join(data.title for data in SETS.values()) + " |"
    assert [row.split(" | ")[0][2:] for row in rows[2:]] == list(SYSTEMS)
    assert rows[2].split(" | ")[1] == "—"


def test_explanations_go_from_the_special_to_the_general(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {("NB",): Note("general"), ("main", "ayi", "NB", "auc"): Note("special")}
    monkeypatch.setattr("benchmarks.paper.explanations.EXPLANATIONS", known)
    assert explain("main", "ayi", "NB", "auc") == "special"
    assert explain("main", "ayi", "NB", "f1") == "general"
    assert explain("main", "ayi", "KNN", "f1") == UNEXPLAINED
