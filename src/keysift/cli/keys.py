"""Keys of a terminal, one by one, in the order in which they were typed; none is lost, however early it came."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ESCAPE = "\x1b"
PATIENCE = 0.1
"""Seconds after which to see whether somebody asked to end: his signal may reach a thread that does not wait."""


@contextmanager
def single_keys(*, interrupt: bool = True) -> Iterator[None]:
    """While the block runs, a key need not be followed by Enter; what was typed before it counts, too.

    Unless it is to `interrupt`, Ctrl-C is a key like any other, which comes after those that were typed before it.
    """
    if hasattr(signal, "siginterrupt"):  # polars has the system read on after this signal, as if nothing were
        signal.siginterrupt(signal.SIGINT, True)
    if not sys.stdin.isatty():
        yield
        return
    try:
        import termios
        import tty
    except ModuleNotFoundError:  # Windows, where keys come singly anyway
        yield
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    # The usual way to switch throws away what was typed ahead (TCSAFLUSH).
    tty.setcbreak(terminal, termios.TCSADRAIN)
    if not interrupt:
        single = termios.tcgetattr(terminal)
        single[6][termios.VINTR] = bytes([os.fpathconf(terminal, "PC_VDISABLE")])
        termios.tcsetattr(terminal, termios.TCSADRAIN, single)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def read_key() -> str:
    """The next key of the terminal; the empty string at its end, and a whole sequence for an arrow and the like."""
    try:
        import select
        import termios  # noqa: F401, to know whether this is a terminal of Unix
    except ModuleNotFoundError:
        import msvcrt

        return msvcrt.getwch()  # type: ignore[attr-defined, no-any-return, unused-ignore]
    terminal = sys.stdin.fileno()
    while not select.select([terminal], [], [], PATIENCE)[0]:
        pass
    key = os.read(terminal, 1)
    if key == ESCAPE.encode():
        # Alone it is the key Escape; an arrow sends more at once: ESC [ A, ESC O P, ESC [ 3 ~.
        while select.select([terminal], [], [], 0)[0] and not _ends_sequence(key):
            key += os.read(terminal, 1)
        return key.decode(errors="replace")
    while key and _is_cut(key):
        key += os.read(terminal, 1)
    return key.decode(errors="replace")


def read_line(echo: Callable[[str], None]) -> str | None:
    """A line of the terminal while keys come singly, shown by `echo`; None where Escape or the end came first."""
    line = ""
    while (key := read_key()) not in ("\r", "\n"):
        if key in ("", ESCAPE, "\x03", "\x04"):
            return None
        if key in ("\x7f", "\x08"):
            if line:
                line = line[:-1]
                echo("\b \b")
        elif key.isprintable():
            line += key
            echo(key)
    return line


def _ends_sequence(key: bytes) -> bool:
    r"""Whether an escape sequence is over.

    >>> [_ends_sequence(key) for key in (b"\x1b", b"\x1b[", b"\x1b[3", b"\x1b[3~", b"\x1b[A", b"\x1bOP", b"\x1by")]
    [False, False, False, True, True, True, True]
    """
    if len(key) < 2:
        return False
    if key[1:2] == b"[":
        return len(key) > 2 and 0x40 <= key[-1] <= 0x7E
    return len(key) > 2 if key[1:2] == b"O" else True


def _is_cut(key: bytes) -> bool:
    """Whether these bytes are only the beginning of a character.

    >>> _is_cut("é".encode()[:1]), _is_cut("é".encode()), _is_cut(b"y")
    (True, False, False)
    """
    wanted = 4 if key[0] >= 0xF0 else 3 if key[0] >= 0xE0 else 2 if key[0] >= 0xC0 else 1
    return len(key) < wanted
