from typing import Any

import pytest

from benchmarks.paper import published
from benchmarks.paper.differing import differences, differing_section
from benchmarks.paper.experiments import TIES, gather
from benchmarks.paper.explanations import EXPLANATIONS, Note, note_of
from benchmarks.paper.readings import READINGS
from benchmarks.paper.results import Key
from benchmarks.paper.systems import SYSTEMS

MEASURES = ("auc", "f1", "acc", "prec100", "f1_default", "acc_default", "f1_heuristic", "acc_heuristic")


def as_printed(name: str, system: str) -> dict[str, Any]:
    """A line that has the paper's own figures."""
    line: dict[str, Any] = {"prec100_range": [0.0, 100.0]}
    for measure in MEASURES:
        key, _, table = measure.partition("_")
        paper = published.figure(table or "main", name, key, system)
        line[measure] = paper[0] if paper else 50.0
    for measure in ("f1", "acc"):
        sweep = published.sweep(name, measure, system)
        line[f"{measure}_sweep"] = [mean for mean, _ in sweep] if sweep else [50.0] * 10
    return line


def test_the_papers_own_figures_do_not_differ() -> None:
    results: dict[Key, dict[str, Any]] = {("ayi", "NB", trial): as_printed("ayi", "NB") for trial in range(3)}
    assert differences(results, {}) == []


def test_a_cell_is_met_by_the_experiment_that_its_note_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "benchmarks.paper.explanations.EXPLANATIONS", {("ayi", "NB"): Note("another tokenizer.", ("NB, other tokens",))}
    )
    off: dict[Key, dict[str, Any]] = {
        ("ayi", "NB", trial): {**as_printed("ayi", "NB"), "f1": 50.0 + trial / 10} for trial in range(3)
    }
    (alone,) = differences(off, {})
    assert (alone.table, alone.measure, alone.met_by) == ("main", "f1", None)
    near: dict[Key, dict[str, Any]] = {
        ("ayi", "NB, other tokens", trial): as_printed("ayi", "NB") for trial in range(2)
    }
    (met,) = differences(off, near)
    assert (met.met_by, met.trials) == ("NB, other tokens", 2)
    # An experiment that no note names meets nothing.
    (still,) = differences(off, {("ayi", "NB, by chance", 0): as_printed("ayi", "NB")})
    assert still.met_by is None
    text = "\n".join(differing_section(off, near))
    assert "| main | 4 | 1 | 0 | 1 | 0 |" in text
    assert "NB, other tokens (AYI, n=2): 1." in text


def test_ties_meet_a_precision_between_their_worst_and_best_order() -> None:
    line = {**as_printed("subj", "PU-NB"), "prec100": 55.0}
    results: dict[Key, dict[str, Any]] = {("subj", "PU-NB", trial): line for trial in range(3)}
    (cell,) = differences(results, {})
    assert (cell.measure, cell.met_by) == ("prec100", TIES)
    narrow: dict[Key, dict[str, Any]] = {key: {**line, "prec100_range": [50.0, 60.0]} for key in results}
    assert differences(narrow, {})[0].met_by is None


def test_lines_of_networks_get_titles_of_their_own() -> None:
    line = {"auc": 75.0, "prec300": 80.0, "with_dropout": {"auc": 74.5}}
    lines = gather({}, {("ayi", "Sigmoid", 0): line}, {("ayi", "Sigmoid, padded to 200", 0): {"auc": 76.0}})
    assert {title: one.get("auc") for (_, title, _), one in lines.items()} == {
        "Sigmoid, 50 epochs": 75.0,
        "Sigmoid, padded to 200": 76.0,
        "Sigmoid, 50 epochs, dropout left on": 74.5,
        "Sigmoid, 50 epochs, precision at 300": None,
    }
    assert lines["ayi", "Sigmoid, 50 epochs, precision at 300", 0] == {"prec100": 80.0}


def test_every_experiment_that_a_note_names_can_be_run() -> None:
    networks = ("Sigmoid", "Logistic", "O-Sigmoid")
    for note in EXPLANATIONS.values():
        for title in note.by:
            system = title.partition(",")[0]
            assert title == TIES or title in READINGS or (system in networks and system in SYSTEMS), title


def test_a_note_that_explains_nothing_says_so() -> None:
    assert note_of("main", "mpqa", "Voting", "auc").by == ()
