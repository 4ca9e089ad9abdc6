from pathlib import Path

import pytest

from keysift.errors import KeysiftWarning, SettingError
from keysift.streaming.ledger import RUN, finish, finished, open_ledger

IDENTITY = {"source": "a.csv", "files": ["a.csv 3 4"], "keywords": [["hockey", 1.0]], "sample": 10}


def test_the_same_run_opens_it_again_and_another_is_refused(tmp_path: Path) -> None:
    folder = open_ledger(tmp_path / "work", IDENTITY)
    assert open_ledger(folder, IDENTITY) == folder
    with pytest.raises(SettingError, match=r"belongs to other sample \(10; now 20\); choose another folder"):
        open_ledger(folder, IDENTITY | {"sample": 20})
    with pytest.raises(SettingError, match=r"belongs to another corpus \(a\.csv 3 4; now a\.csv 5 4\)"):
        open_ledger(folder, IDENTITY | {"files": ["a.csv 5 4"]})


def test_a_damaged_run_is_made_again(tmp_path: Path) -> None:
    folder = open_ledger(tmp_path, IDENTITY)
    finish(folder, "a", lambda path: path.write_text("x"), {})
    (folder / RUN).write_text("{", encoding="utf-8")
    with pytest.warns(KeysiftWarning, match="damaged; all is made again"):
        open_ledger(folder, IDENTITY)
    assert finished(folder, "a") is None


def test_a_file_that_is_not_whole_is_not_finished(tmp_path: Path) -> None:
    info = {"documents": 3}
    assert finish(tmp_path, "a", lambda path: path.write_text("whole"), info) == info
    assert finished(tmp_path, "a") == info
    assert finished(tmp_path, "b") is None
    (tmp_path / "a").write_text("half", encoding="utf-8")
    with pytest.warns(KeysiftWarning, match="is damaged; it is made again"):
        assert finished(tmp_path, "a") is None
    (tmp_path / "a").unlink()
    with pytest.warns(KeysiftWarning, match="is damaged; it is made again"):
        assert finished(tmp_path, "a") is None


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    def half(path: Path) -> None:
        path.write_text("half", encoding="utf-8")
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        finish(tmp_path, "a", half, {})
    assert list(tmp_path.iterdir()) == []
