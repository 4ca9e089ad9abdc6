import stat
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
