"""The screen of a review on a real terminal: keys, signals, and what fits on it."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from keysift.review.state import State
from tests.cli.light import COMMAND, answers


def on_terminal(arguments: list[str], keys: bytes, interrupt_at: str = "never", *, outside: bool = False) -> str:
    """Type keys on a real terminal before anything is shown, and interrupt at some point; all that was shown.

    It is interrupted by Ctrl-C, or by a signal from `outside`.
    """
    controller, terminal = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    )
    os.close(terminal)
    os.write(controller, keys)
    seen, last = "", time.monotonic() + 60
    while time.monotonic() < last:
        if select.select([controller], [], [], 0.1)[0]:
            try:
                part = os.read(controller, 65536)
            except OSError:  # the terminal is closed
                break
            if not part:
                break
            seen += part.decode(errors="replace")
        elif process.poll() is not None:
            break
        if interrupt_at in seen:
            if outside:
                time.sleep(0.5)  # until it waits
                process.send_signal(signal.SIGINT)
            else:
                os.write(controller, b"\x03")
            interrupt_at = "never"
    assert process.wait(timeout=30) == 0, seen
    os.close(controller)
    return seen


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")
def test_on_a_terminal_one_key_is_enough_and_a_note_is_a_line(begun: Path) -> None:
    keys = b"yoa goo\x7f\x7food one\rnbne" + b"q"
    seen = on_terminal(["review", "--state", str(begun)], keys)
    assert answers(begun) == ["y", "n", "unsure", "y", "n"]
    with State.open(begun) as state:
        assert "a good one" in state.notes().values()
    assert "Took back the answer to" in seen
    assert "Saved the note." in seen
    assert "is no key" not in seen
    assert "Rank" in seen


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")
@pytest.mark.parametrize("outside", [False, True])
def test_ctrl_c_ends_as_q_does(begun: Path, outside: bool) -> None:
    seen = on_terminal(["review", "--state", str(begun)], b"y", interrupt_at="4 of 60 read", outside=outside)
    assert "Saved in" in seen
    assert answers(begun) == ["y", "n", "unsure", "y"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal on Windows")
def test_a_signal_ends_a_review_that_waits_for_a_pipe(begun: Path) -> None:
    command = [*COMMAND, "review", "--state", str(begun)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"y\n")
        process.stdin.flush()
        seen = b""
        while b"4 of 60 read" not in seen:
            part = os.read(process.stdout.fileno(), 65536)
            assert part, seen.decode()
            seen += part
        time.sleep(0.5)  # until it waits
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 0, told.decode()
    assert b"Saved in" in told
    assert answers(begun) == ["y", "n", "unsure", "y"]
