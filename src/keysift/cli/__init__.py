"""The command line: thin doors that parse, call and show."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


class Terminated(BaseException):
    """Somebody asks this process to end; every block that writes a file cleans up on its way out."""


def main() -> None:
    """Run the command line."""
    try:
        signal.signal(signal.SIGTERM, _terminate)
        _mend_streams()
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a cut is the same to the bit on any machine; see keysift.threads
        # Here, because whoever presses Ctrl-C while this is loaded should not see where in the code it was.
        from keysift.cli.app import app

        app(prog_name="keysift")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Terminated:
        print("Stopped from outside. No file was left half-written.", file=sys.stderr)
        sys.exit(TERMINATED)
    finally:
        _flush()


def _terminate(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # cleaning up is not interrupted
    raise Terminated


def _mend_streams() -> None:
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: PTH123, SIM115
        elif name != "stdin":
            stream.reconfigure(errors="replace")  # a terminal that lacks a character gets a question mark


def _flush() -> None:
    """Write what is left; where that fails again (a full disk), the error was told already."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            # Otherwise the interpreter tries once more, and complains in its own words.
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
