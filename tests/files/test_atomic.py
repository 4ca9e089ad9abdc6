import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from keysift.errors import OutputError
from keysift.files.atomic import check_target, written_whole


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def write_half(target: Path, error: type[BaseException]) -> None:
    with written_whole(target) as part:
        part.write_text("half")
        raise error


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("old", [None, "old"])
def test_a_block_that_ends_well_replaces_the_file(tmp_path: Path, old: str | None) -> None:
    path = tmp_path / "a.txt"
    if old is not None:
        path.write_text(old)
    with written_whole(str(path)) as part:
        part.write_text("new")
        assert part.parent == tmp_path
        assert path.exists() == (old is not None)
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_block_that_fails_leaves_the_old_file(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    for target in (path, tmp_path / "b.txt"):
        with pytest.raises(error):
            write_half(target, error)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_permissions(tmp_path: Path) -> None:
    kept, new, plain = tmp_path / "kept", tmp_path / "new", tmp_path / "plain"
    kept.touch()
    kept.chmod(0o640)
    plain.touch()
    for path in (kept, new):
        with written_whole(path) as part:
            part.write_text("x")
    assert mode(kept) == 0o640
    assert mode(new) == mode(plain)


def test_places_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutputError, match="it is a folder; give the name of a file in it"):
        check_target(tmp_path)
    with (
        pytest.raises(OutputError, match="does not exist; create it or choose another"),
        written_whole(tmp_path / "x/a"),
    ):
        pytest.fail("the block must not start")
    monkeypatch.setattr("os.access", lambda *args: False)  # a test may run as root, who may write anywhere
    with pytest.raises(OutputError, match="is not writable"):
        check_target(tmp_path / "a")


def test_the_path_comes_back(tmp_path: Path) -> None:
    assert check_target(str(tmp_path / "a")) == tmp_path / "a"


def write(path: Path, text: str) -> None:
    with written_whole(path) as part:
        part.write_text(text)


def test_what_is_written_is_on_the_disk_before_it_takes_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, steps = tmp_path / "a.txt", []
    path.write_text("old")
    real = os.fsync

    def fsync(handle: int) -> None:
        steps.append((stat.S_ISDIR(os.fstat(handle).st_mode), path.read_text()))
        real(handle)

    monkeypatch.setattr("os.fsync", fsync)
    write(path, "new")
    assert steps == [(False, "old"), (True, "new")]  # the file, then its name


def test_links(tmp_path: Path) -> None:
    target, link, loop = tmp_path / "target", tmp_path / "link", tmp_path / "loop"
    link.symlink_to(target)  # dangling until it is written
    write(link, "through a link")
    assert link.is_symlink()
    assert target.read_text() == "through a link"
    loop.symlink_to(loop)
    other = tmp_path / "other"
    other.symlink_to(loop)
    for path in (loop, other):
        with pytest.raises(OutputError, match="it is a link that leads back to itself; remove it"):
            check_target(path)
    lost = tmp_path / "lost"
    lost.symlink_to(tmp_path / "missing" / "a")
    with pytest.raises(OutputError, match=r"it is a link into the folder .*missing, which does not exist; create it"):
        check_target(lost)
    folder = tmp_path / "folder"
    folder.symlink_to(tmp_path)
    with pytest.raises(OutputError, match="it is a folder"):
        check_target(folder)
    assert names(tmp_path) == ["folder", "link", "loop", "lost", "other", "target"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_device_is_refused() -> None:
    for device in ("/dev/full", "/dev/null"):
        with pytest.raises(OutputError, match="it is a device or a pipe, not a file"):
            check_target(device)


WRITER = """
import sys, time
from keysift.files.atomic import written_whole
with written_whole(sys.argv[1]) as part:
    part.write_text("half")
    print("writing", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_run_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    mine = tmp_path / ".a.txt.something.part"
    mine.write_text("not of keysift")
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        write(path, "whole")
        assert len(names(tmp_path)) == 3  # the part of the living is left alone
        process.kill()
    write(other, "another target")
    assert len(names(tmp_path)) == 4
    write(path, "again")
    assert names(tmp_path) == [mine.name, "a.txt", "b.txt"]
    assert path.read_text() == "again"


FULL = """
import random, resource, sys
from keysift.corpus.writing import write
from keysift.errors import OutputError
import polars as pl
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    write(pl.DataFrame({"text": [random.randbytes(1000).hex() for _ in range(100)]}), sys.argv[1])
except OutputError as error:
    print(error)
"""


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_no_room_for_the_whole_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")
    command = [sys.executable, "-c", FULL, str(path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Cannot write" in told.stdout
    assert "too large" in told.stdout
    assert path.read_text() == "old"
    assert names(tmp_path) == [name]
