import pytest

from keysift.cli import console
from keysift.cli.console import stages


def test_a_piped_stage_is_told_once_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    with stages(quiet=False) as progress:
        for done in (0.0, 0.5, 1.0, 1.0):
            progress("Encoding", done)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Encoding … ")
    assert line.endswith(" s")


def test_a_long_stage_is_told_of_before(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "PIPED_SECONDS", 0.0)
    with stages(quiet=False) as progress:
        for done in (0.0, 0.25, 0.5, 1.0):
            progress("Encoding", done)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["Encoding … 25%", "Encoding … 50%"]
    assert lines[2].endswith(" s")


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "PIPED_SECONDS", 0.0)
    with stages(quiet=True) as progress:
        progress("Encoding", 0.5)
        progress("Encoding", 1.0)
    assert capsys.readouterr().err == ""
