"""A command with all its processes: how long it takes, how much of the processors, and how much memory at most."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["KEYSIFT", "MeasuredRun", "measured_run"]

KEYSIFT = [sys.executable, "-c", "from keysift.cli import main; main()"]
EVERY = 0.2
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class MeasuredRun:
    """What a command took."""

    seconds: float
    processor_seconds: float
    """Of all its processes; it does not grow where other programs take their turn."""
    peak: float
    """Megabytes that all its processes had at once; pages that they share count once."""
    said: str


def measured_run(command: Sequence[str]) -> MeasuredRun:
    """Run a command to its end; the memory is read from /proc."""
    before, start = os.times(), time.perf_counter()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, sum(map(_megabytes, _tree(process.pid))))
            time.sleep(EVERY)
        said = process.stderr.read() if process.stderr else ""
    seconds, after = time.perf_counter() - start, os.times()
    if process.returncode != 0:
        raise RuntimeError(f"{command} failed: {said[-2000:]}")
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return MeasuredRun(seconds, spent, peak, said)


def _tree(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        try:
            found += map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())
        except OSError:  # it ended meanwhile
            continue
    return found


def _megabytes(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
