"""Tasks that engines run in other processes."""

import os
import signal
from pathlib import Path
from typing import Any

from keysift.errors import InputError


def add(item: int, argument: int) -> int:
    return item + argument


def threads(item: int, argument: object) -> str | None:
    return os.environ.get("POLARS_MAX_THREADS")


def die_once(item: int, folder: str) -> int:
    """The worker of item 3 is killed the first time."""
    mark = Path(folder) / "died"
    if item == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def die(item: int, argument: Any) -> int:
    if item == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def complain(item: int, argument: Any) -> int:
    if item == 2:
        raise InputError("Row 2 is no document; give one.")
    return item
