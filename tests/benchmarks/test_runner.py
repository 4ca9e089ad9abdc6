from pathlib import Path

import pytest

from benchmarks.paper.datasets import find_data
from benchmarks.paper.results import read
from benchmarks.paper.runner import main, plan

FOLDER = find_data()
needs_data = pytest.mark.skipif(
    FOLDER is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data"
)


def test_the_plan_does_cheap_things_first_and_networks_trial_by_trial() -> None:
    tasks = plan(["ayi", "20ng"], ["Sigmoid", "NB", "O-Sigmoid"])
    assert len(tasks) == 20 * 2 + 20 * 2 + 20 * 2
    assert [system for _, system, _ in tasks[:40]] == ["NB"] * 40
    assert tasks[40:43] == [("ayi", "Sigmoid", 0), ("ayi", "O-Sigmoid", 0), ("ayi", "Sigmoid", 1)]


def test_the_quick_plan_has_three_trials_and_no_networks_on_20ng() -> None:
    tasks = plan(["ayi", "20ng"], ["Sigmoid", "NB"], quick=True)
    assert sorted(set(tasks)) == sorted(tasks)
    assert len(tasks) == 3 + 3 + 3
    assert ("20ng", "Sigmoid", 0) not in tasks


@needs_data
def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.jsonl"
    arguments = ["--sets", "ayi", "--systems", "Voting", "--jobs", "1", "--results", str(path), "--trials"]
    assert main([*arguments, "1"]) == 0
    first = path.read_bytes()
    path.write_bytes(first + first[:50])
    assert main([*arguments, "2"]) == 0
    said = capsys.readouterr().out
    assert "was broken" in said
    assert "2 tasks, 1 of them done before, 1 at a time." in said
    assert path.read_bytes().startswith(first)
    results = read(path)
    assert [key[2] for key in results] == [0, 1]
    one = results["ayi", "Voting", 0]
    assert one["tp"] + one["fn"] == 1108
    assert 55 < one["auc"] < 67
    assert len(one["f1_sweep"]) == 10
    assert main([*arguments, "2"]) == 0
    assert len(path.read_bytes().splitlines()) == 2


def test_bad_data_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEYSIFT_DATA", str(tmp_path))
    assert main(["--sets", "ayi", "--systems", "Voting", "--results", str(tmp_path / "r.jsonl")]) == 2
    said = capsys.readouterr().err.strip()
    assert "amazon_cells_labelled.txt is missing" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sets", "imdb"], "--sets must be some of subj, custrev"),
        (["--systems", "SVM"], "--systems must be some of Sigmoid"),
        (["--jobs", "0"], "--jobs must be 1 or more; got 0."),
    ],
)
def test_wrong_options_are_named(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert said in capsys.readouterr().err
