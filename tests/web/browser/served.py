"""`keysift serve` as a process of its own, to be killed and started again."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

from tests.cli.light import COMMAND

PATIENCE = 120.0
"""Seconds until a server that does not come is given up; it takes one, or ten where others keep the machine busy."""


class Served:
    """A server on a project; within a `with` block."""

    def __init__(self, project: Path, *arguments: object) -> None:
        self.project = project
        self.arguments = [str(argument) for argument in arguments]
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def __enter__(self) -> "Served":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self, port: int = 0) -> None:
        """Start it, and wait for the address that it prints."""
        command = [*COMMAND, "serve", *self.arguments, "--project", str(self.project), "--port", str(port)]
        log = self.project.with_suffix(".log")
        with log.open("wb") as out:
            environment = {**os.environ, "OMP_NUM_THREADS": "1"}
            self._process = subprocess.Popen([*command, "--no-browser"], stdout=out, stderr=out, env=environment)
        end = time.monotonic() + PATIENCE
        while not (found := re.search(r"The page is at (http\S+)", log.read_text(encoding="utf-8"))):
            assert self._process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < end, "the server does not come"
            time.sleep(0.05)
        self.url = found[1]

    def kill(self) -> None:
        """End it at once: it has no time to write anything."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def come_back(self) -> None:
        """Start it again at the same address."""
        self.start(port=int(self.url.rstrip("/").rsplit(":", 1)[1]))
