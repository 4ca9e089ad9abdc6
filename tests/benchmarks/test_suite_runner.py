import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.suite import runner, tasks
from benchmarks.suite.lines import read
from benchmarks.suite.outcome import Outcome
from benchmarks.suite.runner import main
from benchmarks.suite.systems import SYSTEMS

BASELINES = "counting,mean difference"


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two tasks of one corpus and one of another, sixty documents each; returns the file of results."""
    folder = tmp_path / "suite"
    (folder / "data").mkdir(parents=True)
    listed = []
    for corpus, names in {"animals": ("cats", "dogs"), "places": ("sea",)}.items():
        with gzip.open(folder / "data" / f"{corpus}.csv.gz", "wt", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "text", "label"])
            for i in range(60):
                name = (*names, "other", "more")[i % 4 % (len(names) + 1)]
                said = {"cats": "the cat sat and purred", "dogs": "a dog barked loudly", "sea": "the sea has waves"}
                word = f"{name[:3]} " if i % 3 else ""
                writer.writerow([i, f"{word}{said.get(name, 'parliament passed a law')} on day {i}", name])
        listed += [
            {
                "task": name,
                "file": f"data/{corpus}.csv.gz",
                "target": [name],
                "keywords": [name[:3], name],
                "language": "en",
                "kind": corpus,
            }
            for name in names
        ]
    (folder / "tasks.json").write_text(json.dumps(listed), encoding="utf-8")
    monkeypatch.setenv("KEYSIFT_SUITE", str(folder))
    monkeypatch.setattr(tasks, "find_data", lambda: None)
    return tmp_path / "results.jsonl"


def test_a_run_goes_on_where_it_was_stopped(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--systems", "counting", "--tasks", "animals", "--results", str(suite)]) == 0
    first = suite.read_bytes()
    suite.write_bytes(first + first[:30])
    assert main(["--systems", BASELINES, "--results", str(suite)]) == 0
    said = capsys.readouterr().err
    assert "was broken" in said
    assert "6 results, 2 of them done before." in said
    assert said.splitlines()[-1].startswith("6/6 sea, mean difference: AUC ")
    assert suite.read_bytes().startswith(first)
    lines = read(suite)
    assert set(lines) == {(task, by) for task in ("cats", "dogs", "sea") for by in ("counting", "mean difference")}
    line = lines["cats", "counting"]
    assert (line["corpus"], line["family"], line["kind"], line["documents"]) == ("animals", "suite", "animals", 60)
    assert 50 < line["auc"] <= 100
    assert {"positives", "length", "language", "ap", "seconds", "f1_true_share", "version"} <= set(line)


def test_stopped_by_hand_it_keeps_what_it_has(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(task: tasks.SuiteTask) -> Outcome:
        raise KeyboardInterrupt

    monkeypatch.setitem(SYSTEMS, "mean difference", stop)
    assert main(["--systems", BASELINES, "--results", str(suite)]) == 130
    assert "goes on from here" in capsys.readouterr().err
    assert set(read(suite)) == {("cats", "counting"), ("dogs", "counting")}


def test_one_that_fails_does_not_stop_the_others(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(task: tasks.SuiteTask) -> Outcome:
        raise ValueError("no such thing\nin two lines")

    monkeypatch.setitem(SYSTEMS, "counting", fail)
    assert main(["--systems", BASELINES, "--results", str(suite)]) == 1
    assert "1/6 cats, counting: failed: ValueError: no such thing; " in capsys.readouterr().err
    assert {by for _, by in read(suite)} == {"mean difference"}


def test_what_another_version_measured_runs_again_if_asked(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["--systems", "counting", "--tasks", "sea", "--results", str(suite)]
    monkeypatch.setattr(runner, "version", lambda: "old")
    assert main(arguments) == 0
    monkeypatch.setattr(runner, "version", lambda: "new")
    assert main(arguments) == 0
    assert read(suite)["sea", "counting"]["version"] == "old"
    assert main([*arguments, "--again"]) == main([*arguments, "--again"]) == 0
    assert read(suite)["sea", "counting"]["version"] == "new"
    assert len(suite.read_bytes().splitlines()) == 2


def test_keysift_notes_what_it_says_and_its_scores(suite: Path, tmp_path: Path) -> None:
    scores = tmp_path / "scores"
    arguments = ["--systems", "keysift without encoder", "--tasks", "animals", "--results", str(suite)]
    assert main([*arguments, "--scores", str(scores)]) == 0
    lines = read(suite)
    cats, dogs = (lines[task, "keysift without encoder"] for task in ("cats", "dogs"))
    assert (cats["shared"], dogs["shared"]) == (False, True)
    for name in ("prior", "precision", "recall"):
        if name in cats:
            assert 0 <= cats[name]["low"] <= cats[name]["estimate"] <= cats[name]["high"] <= 1
    assert {"true_precision", "true_recall", "f1"} <= set(cats)
    kept = np.load(scores / "keysift without encoder" / "cats.npz")
    assert set(kept) == {"scores", "labels", "keywords", "weights", "family", "corpus"}
    assert len(kept["scores"]) == len(kept["weights"]) == 60
    assert not kept["weights"][kept["keywords"] == 0].any()
    assert str(kept["corpus"]) == "animals"


def test_scores_that_are_asked_for_later_are_made(suite: Path, tmp_path: Path) -> None:
    arguments = ["--systems", "counting", "--tasks", "sea", "--results", str(suite)]
    assert main(arguments) == main([*arguments, "--scores", str(tmp_path / "scores")]) == 0
    assert (tmp_path / "scores" / "counting" / "sea.npz").is_file()


def test_wrong_names_are_said(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tasks", "cats,birds", "--results", str(suite)]) == 2
    assert "--tasks must be some of cats, dogs, sea, or corpora or families of them; got 'birds'." in (
        capsys.readouterr().err
    )
    with pytest.raises(SystemExit):
        main(["--systems", "SVM"])
    assert "--systems must be some of counting, " in capsys.readouterr().err


def test_without_any_data_it_says_what_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KEYSIFT_SUITE", raising=False)
    monkeypatch.setattr(tasks, "ROOT", tmp_path / "project")
    monkeypatch.setattr(tasks, "find_data", lambda: None)
    assert main([]) == 0
    assert "skipped: the suite is neither in the folder KEYSIFT_SUITE nor" in capsys.readouterr().err
