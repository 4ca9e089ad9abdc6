import signal
import subprocess
import sys
from pathlib import Path

import pytest

from keysift.errors import OutputError
from keysift.files.lock import only_one

HOLDER = """
import sys, time
from keysift.files.lock import only_one
with only_one(sys.argv[1], "is being labelled"):
    print("held", flush=True)
    time.sleep(60)
"""


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def holder(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_is_named_and_its_end_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "audit.csv"
    with holder(path) as other:
        with (
            pytest.raises(OutputError, match=rf"audit.csv is being labelled by another process \(number {other.pid}\)"),
            only_one(path, "is being labelled"),
        ):
            pytest.fail("the block must not start")
        other.send_signal(signal.SIGKILL)  # which leaves the file behind
        other.wait()
    assert names(tmp_path) == [".audit.csv.lock"]
    with only_one(path, "is being labelled"):
        pass
    assert names(tmp_path) == []


def test_the_lock_goes_away_with_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError), only_one(tmp_path / "a", "is used"):
        raise KeyError
    with only_one(tmp_path / "a", "is used"), only_one(tmp_path / "b", "is used"):
        assert names(tmp_path) == [".a.lock", ".b.lock"]
    assert names(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match="No such file or directory; choose another place"),
        only_one(tmp_path / "missing" / "a", "is used"),
    ):
        pytest.fail("the block must not start")


def test_a_link_is_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").touch()
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    with (
        only_one(tmp_path / "a.csv", "is being labelled"),
        pytest.raises(OutputError, match="by another process"),
        only_one(tmp_path / "link.csv", "is being labelled"),
    ):
        pass
