"""Keys of a real terminal: a pseudo-terminal stands for the person who types ahead."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from keysift.cli.keys import _ends_sequence, _is_cut

COMMAND = [sys.executable, "-c", "from keysift.cli import main; main()"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    from keysift.audit import start

    ranking = {
        "id": range(30),
        "rank": range(1, 31),
        "score": [9.0 - n for n in range(30)],
        "decision": [1] * 9 + [0] * 21,
    }
    path = tmp_path / "audit.csv"
    start(pl.DataFrame({**ranking, "text": ["a text"] * 30}), 12).write_csv(path)
    return path


def answers(audit: Path) -> list[str]:
    return pl.read_csv(audit, infer_schema=False)["answer"].fill_null("").to_list()


def label(audit: Path, keys: bytes) -> tuple[int, str]:
    """Type all keys at once, before the program has even started to read."""
    controller, terminal = os.openpty()
    os.write(controller, keys)
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [*COMMAND, "audit", "label", str(audit)], stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    )
    os.close(terminal)
    seen, last = b"", time.monotonic() + 60
    while time.monotonic() < last:
        if select.select([controller], [], [], 0.1)[0]:
            try:
                part = os.read(controller, 65536)
            except OSError:  # the terminal is closed
                break
            if not part:
                break
            seen += part
        elif process.poll() is not None:
            break
    code = process.wait(timeout=30)
    os.close(controller)
    return code, seen.decode(errors="replace")


def test_answers_typed_ahead_are_taken_one_by_one_and_none_is_lost(audit: Path) -> None:
    code, seen = label(audit, b"ynuyynq")
    assert code == 0, seen
    assert answers(audit)[:7] == ["y", "n", "unsure", "y", "y", "n", ""]
    assert "is no answer" not in seen


def test_arrows_enter_and_letters_of_other_scripts_are_no_answers(audit: Path) -> None:
    code, seen = label(audit, "y\r\x1b[Aén\x1b[3~ bq".encode())
    assert code == 0, seen
    assert answers(audit)[:2] == ["y", ""]  # the n was taken back
    assert "'é' is no answer" in seen


def test_all_answers_at_once(audit: Path) -> None:
    code, seen = label(audit, b"yn" * 6)
    assert code == 0, seen
    assert answers(audit) == ["y", "n"] * 6
    assert "All 12 documents answered." in seen


@pytest.mark.parametrize(
    ("key", "over"), [(b"\x1b", False), (b"\x1b[", False), (b"\x1b[1;5", False), (b"\x1b[1;5C", True), (b"\x1bx", True)]
)
def test_where_a_sequence_ends(key: bytes, over: bool) -> None:
    assert _ends_sequence(key) == over


def test_characters_of_several_bytes() -> None:
    for character in "yé語😀":
        encoded = character.encode()
        assert [_is_cut(encoded[: end + 1]) for end in range(len(encoded))] == [True] * (len(encoded) - 1) + [False]
