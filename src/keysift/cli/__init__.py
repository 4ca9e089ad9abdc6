"""The command line: thin doors that parse, call and show."""

import os
import sys

from keysift.cli.app import app


def main() -> None:
    """Run the command line."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: PTH123, SIM115
        elif name != "stdin":
            stream.reconfigure(errors="replace")  # a terminal that lacks a character gets a question mark
    try:
        app(prog_name="keysift")
    except KeyboardInterrupt:
        sys.exit(130)
