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
from tests.cli.light import COMMAND, SPORTS, answers

CLEARED = "\x1b[2J\x1b[H"
"""What a terminal is told before a new screen."""


def on_terminal(
    arguments: list[str], keys: bytes, interrupt_at: str = "never", *, outside: bool = False, lines: int = 40
) -> str:
    """Type keys on a real terminal before anything is shown, and interrupt at some point; all that was shown.

    It is interrupted by Ctrl-C, or by a signal from `outside`.
    """
    controller, terminal = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": str(lines)}
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
def test_all_of_it_fits_on_the_screen_and_m_turns_the_page(tmp_path: Path, project: Path) -> None:
    table = tmp_path / "long.csv"
    words = " ".join(f"word{number}" for number in range(300))
    table.write_text(f"text\na hockey game {words}\na tax law\nthe court\nan old team\n")
    seen = on_terminal(["review", str(table), *SPORTS, "--state", str(project)], b"mmexyyq", lines=24)
    start, end, again, *others = [screen for screen in seen.split(CLEARED) if "Document" in screen]
    for one in (start, again):
        assert "word0 " in one
        assert "word299" not in one
        assert "m: more" in one
    assert "word0 " not in end
    assert "word299" in end
    assert "m: back to the beginning" in end
    assert len(others) == 4  # evidence, a complaint, two other documents
    for screen in (start, end, again, *others[:-1]):  # after the last one comes what is said at the end
        assert screen.count("\r\n") <= 24 - 1, screen  # with one more the title is gone
    places = {screen.split("read ·")[0].count("\r\n") for screen in (start, end, again, others[0], others[2])}
    assert len(places) == 1  # nothing jumps from one document to the next


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
