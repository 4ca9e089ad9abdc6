from pathlib import Path

from benchmarks.paper.results import append, mend, read


def line(trial: int, auc: float = 50.0) -> dict[str, object]:
    return {"set": "ayi", "system": "Voting", "trial": trial, "auc": auc}


def test_lines_are_appended_and_the_first_of_two_counts(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for entry in (line(0, 60.0), line(1), line(0, 70.0)):
        append(path, entry)
    assert read(path)["ayi", "Voting", 0]["auc"] == 60.0
    assert len(read(path)) == 2
    assert not mend(path)


def test_a_broken_last_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    append(path, line(0))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:20])
    assert len(read(path)) == 1
    assert mend(path)
    assert path.read_bytes() == whole
    append(path, line(1))
    assert len(read(path)) == 2


def test_a_file_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert read(tmp_path / "none.jsonl") == {}
    assert not mend(tmp_path / "none.jsonl")
