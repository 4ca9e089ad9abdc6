"""How a corpus of any size is worked on: how much is learned from, in how much memory, by whom, and written where."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from keysift.errors import SettingError

if TYPE_CHECKING:
    from keysift.engines.engine import Engine

SAMPLE = 100_000
"""Documents that are learned from at most; up to so many all are, in memory."""
UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?b)?\s*", re.IGNORECASE)
LEAST_MEMORY = 500_000_000
"""What Python, its libraries and a model take in any case."""
WORKER = 350_000_000
"""What one more process takes."""
LEAST_LEARNED = 500_000
"""Bytes of text that can be learned from in any case."""
LEARNING = 100
"""Bytes of memory for each byte of text that is learned from."""


class DataSet(type(Path())):  # type: ignore[misc]
    """The path of a folder that a result is written into."""


def output_path(given: str | Path) -> Path:
    """Where a result is written; a name with a slash behind it is a folder.

    >>> type(output_path("ranking/")).__name__, output_path("ranking.csv").name
    ('DataSet', 'ranking.csv')
    """
    return DataSet(given) if str(given).endswith(("/", os.sep)) else Path(given)


def beside(work: Path | None, output: Path | None) -> Path | None:
    """The folder for what is only needed meanwhile; None for that of the system."""
    return work or (output.parent if output is not None and output.name != "-" else None)


@dataclass(frozen=True)
class Scale:
    """How a corpus that does not fit into memory is worked on; what cannot be meant is refused."""

    sample: int = SAMPLE
    memory: str | None = None
    unsorted: bool = False
    reasons: str = "best"
    engine: str = "local"
    address: str | None = None

    def __post_init__(self) -> None:
        from keysift.engines.engine import check_engine

        if self.sample < 2:
            raise SettingError(f"sample= must be a whole number, 2 or more; got {self.sample}.")
        if self.reasons not in ("best", "all"):
            raise SettingError(f"reasons= must be best or all; got {self.reasons!r}.")
        check_engine(self.engine, self.address)
        self.bytes()

    def bytes(self) -> int | None:
        """The memory in bytes; None where nothing was said of it.

        >>> Scale(memory="1.5 GB").bytes()
        1500000000
        """
        if self.memory is None:
            return None
        found = SIZE.fullmatch(self.memory)
        size = int(float(found[1]) * UNITS[(found[2] or "").lower()]) if found else 0
        if size < LEAST_MEMORY:
            raise SettingError(
                f"memory= must be a size such as 2GB, and {LEAST_MEMORY // 10**6} MB at least; got {self.memory!r}."
            )
        return size

    def learned_bytes(self) -> int:
        """Bytes of text that can be learned from: within `memory`, or else within half of that of the machine."""
        most = self.bytes() or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        return max(LEAST_LEARNED, (most - LEAST_MEMORY) // LEARNING)

    def workers(self) -> int | None:
        """Processes that `memory` has room for; None for one a core."""
        most, cores = self.bytes(), os.cpu_count() or 1
        return None if most is None else max(1, min(cores, (most - LEAST_MEMORY // 2) // WORKER))

    def start_engine(self) -> "Engine":
        """The engine that was asked for."""
        from keysift.engines.engine import get_engine

        return get_engine(self.engine, address=self.address, workers=self.workers())
