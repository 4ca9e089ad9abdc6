import gzip
import json
from pathlib import Path

import pytest

from benchmarks.suite import tasks
from benchmarks.suite.tasks import find_suite, list_tasks, read_task
from keysift.errors import InputError

needs_suite = pytest.mark.skipif(
    find_suite() is None, reason="the suite is neither in KEYSIFT_SUITE nor in ../shared/suite"
)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Neither the suite nor the paper's sets."""
    monkeypatch.delenv("KEYSIFT_SUITE", raising=False)
    monkeypatch.setattr(tasks, "ROOT", tmp_path / "project")
    monkeypatch.setattr(tasks, "find_data", lambda: None)
    return tmp_path


def _write(folder: Path, **changes: object) -> None:
    folder.mkdir(parents=True)
    row = {"task": "t", "file": "c.csv.gz", "target": ["1"], "keywords": ["a"], "language": "en", "kind": "k"} | changes
    (folder / "tasks.json").write_text(json.dumps([row]), encoding="utf-8")
    with gzip.open(folder / "c.csv.gz", "wt", encoding="utf-8") as file:
        file.write('id,text,label\n7,12,1\n8,"a, b",0\n9,,0\n')


def test_what_is_not_there_is_skipped_with_a_sentence(nowhere: Path) -> None:
    found, skipped = list_tasks()
    assert not found
    assert [sentence.partition(":")[0] for sentence in skipped] == ["skipped", "skipped"]
    assert "KEYSIFT_SUITE" in skipped[0]
    assert "KEYSIFT_DATA" in skipped[1]


def test_the_suite_is_found_beside_the_project(nowhere: Path) -> None:
    _write(nowhere / "shared" / "suite")
    assert find_suite() == nowhere / "shared" / "suite"


def test_columns_are_read_as_text(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(nowhere / "own")
    monkeypatch.setenv("KEYSIFT_SUITE", str(nowhere / "own"))
    found, _ = list_tasks()
    task = read_task(found["t"])
    assert task.texts == ("12", "a, b", "")
    assert task.relevant.tolist() == [True, False, False]
    assert (task.corpus, task.family, task.length, task.spaced) == ("c", "suite", 2.0, True)


def test_a_folder_without_tasks_is_an_error(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYSIFT_SUITE", str(nowhere))
    with pytest.raises(InputError, match=r"which has no file tasks\.json"):
        find_suite()


def test_broken_tasks_are_an_error_that_says_what_is_expected(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(nowhere / "own")
    (nowhere / "own" / "tasks.json").write_text('[{"task": "t"}]', encoding="utf-8")
    monkeypatch.setenv("KEYSIFT_SUITE", str(nowhere / "own"))
    with pytest.raises(InputError, match=r"must be a list of tasks with the fields task, file, .*KeyError: 'file'"):
        list_tasks()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"file": "gone.csv.gz"}, "is missing; tasks.json names it"),
        ({"target": ["2", "3"]}, "0 of 3 are of the class 2 or 3"),
    ],
)
def test_a_task_that_cannot_be_measured_is_an_error(
    changes: dict[str, object], said: str, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(nowhere / "own", **changes)
    monkeypatch.setenv("KEYSIFT_SUITE", str(nowhere / "own"))
    with pytest.raises(InputError, match=said):
        read_task(list_tasks()[0]["t"])


def test_the_older_families_are_there_and_the_groups_are_posts_of_20ng(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "find_suite", lambda: None)
    monkeypatch.setattr(tasks, "find_data", lambda: Path())
    found, _ = list_tasks()
    families = [task.family for task in found.values()]
    assert {family: families.count(family) for family in families} == {"five": 5, "lists": 15, "groups": 20}
    assert {task.corpus for task in found.values() if task.family == "groups"} == {"20ng"}


@needs_suite
def test_the_suite_has_relevant_and_other_documents() -> None:
    found = [task for task in list_tasks()[0].values() if task.family == "suite"]
    assert len({task.name for task in found}) == len(found) >= 32
    small = next(task for task in found if task.corpus == "nyt_headlines")
    task = read_task(small)
    assert 0 < task.relevant.sum() < len(task.texts) == len(set(task.texts))
