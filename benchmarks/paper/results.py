"""The file of results: one JSON line for each set, system and trial.

Several runners may append to one file at the same time: a line is written by one call, whole, at the end of the file.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["EXACT", "RESULTS", "VARIANTS", "Key", "append", "key_of", "mend", "read"]

RESULTS = Path(__file__).with_name("results.jsonl")
EXACT = Path(__file__).with_name("exact.jsonl")
"""Networks trained as long as the paper's, see `exact.py`."""
VARIANTS = Path(__file__).with_name("variants.jsonl")
"""Networks trained in other ways, over padding for one, see `exact.py`."""

Key = tuple[str, str, int]
"""Set, system and trial."""


def key_of(line: dict[str, Any]) -> Key:
    """What a line is the result of."""
    return str(line["set"]), str(line["system"]), int(line["trial"])


def read(path: Path) -> dict[Key, dict[str, Any]]:
    """All results by set, system and trial; of several for the same, the first. A line that is not whole is skipped."""
    results: dict[Key, dict[str, Any]] = {}
    for line in _lines(path):
        parsed = _parsed(line)
        if parsed is not None:
            results.setdefault(key_of(parsed), parsed)
    return results


def mend(path: Path) -> bool:
    """Cut off a last line that a killed run left broken; whether there was one."""
    data = path.read_bytes() if path.is_file() else b""
    whole, newline, last = data.rpartition(b"\n")
    if not last:
        return False
    os.truncate(path, len(whole) + len(newline))
    return True


def append(path: Path, line: dict[str, Any]) -> None:
    """Add a line in one write, and see to it that it is on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = (json.dumps(line, ensure_ascii=False) + "\n").encode()
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(file, data)
        os.fsync(file)
    finally:
        os.close(file)


def _lines(path: Path) -> Iterable[str]:
    return path.read_text(encoding="utf-8").split("\n") if path.is_file() else ()


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
        key_of(value)
    except (ValueError, KeyError, TypeError):
        return None
    return dict(value)
