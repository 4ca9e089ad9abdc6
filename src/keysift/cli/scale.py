"""Corpora larger than memory: the options, and the look at a source that tells whether it is one."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.reading import DocumentOptions
from keysift.errors import SettingError

if TYPE_CHECKING:
    from keysift.corpus.scan import Plan
    from keysift.engines.engine import Engine

UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?b)?\s*", re.IGNORECASE)
FEWEST = 2
"""Bytes of the shortest document, with its line break."""
ZIPPED = 20
"""Times that a zipped text may grow, where it is only to be told whether it is worth a look."""
LEAST_MEMORY = 500_000_000
"""What Python, its libraries and a model take in any case."""
WORKER = 350_000_000
"""What one more process takes."""
LEAST_LEARNED = 500_000
"""Bytes of text that can be learned from in any case."""
LEARNING = 100
"""Bytes of memory for each byte of text that is learned from."""
PANEL = "Scale"


class DataSet(type(Path())):  # type: ignore[misc]
    """The path of a folder that a result is written into."""


def output_path(given: str) -> Path:
    """Where a result is written; a name with a slash behind it is a folder.

    >>> type(output_path("ranking/")).__name__, output_path("ranking.csv").name
    ('DataSet', 'ranking.csv')
    """
    return DataSet(given) if given.endswith(("/", os.sep)) else Path(given)


@dataclass(frozen=True)
class Scale:
    """How a corpus that does not fit into memory is worked on."""

    sample: Annotated[
        int, typer.Option(help="Documents learned from at most; all others are only scored.", rich_help_panel=PANEL)
    ] = 100_000
    memory: Annotated[
        str | None,
        typer.Option(help="The most memory to use, as 2GB.", rich_help_panel=PANEL, show_default=False),
    ] = None
    unsorted: Annotated[
        bool, typer.Option("--unsorted", help="Write in the order of the input, without ranks.", rich_help_panel=PANEL)
    ] = False
    reasons: Annotated[
        str,
        typer.Option(
            help="Above --sample: give reasons for the best (and all positive), or all.", rich_help_panel=PANEL
        ),
    ] = "best"
    engine: Annotated[
        str, typer.Option(help="local, or ray (pip install 'keysift\\[ray]').", rich_help_panel=PANEL)
    ] = "local"
    address: Annotated[
        str | None, typer.Option(help="Of a Ray cluster.", rich_help_panel=PANEL, show_default=False)
    ] = None

    def check(self) -> None:
        """Refuse what cannot be meant, before any work."""
        from keysift.engines.engine import ENGINES

        if self.sample < 2:
            raise SettingError(f"--sample must be a whole number, 2 or more; got {self.sample}.")
        if self.reasons not in ("best", "all"):
            raise SettingError(f"--reasons must be best or all; got {self.reasons!r}.")
        if self.engine not in ENGINES:
            raise SettingError(f"--engine must be one of {', '.join(ENGINES)}; got {self.engine!r}.")
        if self.engine == "local" and self.address is not None:
            raise SettingError("--address is that of a Ray cluster; add --engine ray, or leave it out.")
        self.bytes()

    def bytes(self) -> int | None:
        """The memory in bytes; None where nothing was said of it."""
        if self.memory is None:
            return None
        found = SIZE.fullmatch(self.memory)
        size = int(float(found[1]) * UNITS[(found[2] or "").lower()]) if found else 0
        if size < LEAST_MEMORY:
            raise SettingError(
                f"--memory must be a size such as 2GB, and {LEAST_MEMORY // 10**6} MB at least; got {self.memory!r}."
            )
        return size

    def learned_bytes(self) -> int:
        """Bytes of text that can be learned from: within --memory, or else within half of that of the machine."""
        most = self.bytes() or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        return max(LEAST_LEARNED, (most - LEAST_MEMORY) // LEARNING)

    def workers(self) -> int | None:
        """Processes that --memory has room for; None for one a core."""
        most, cores = self.bytes(), os.cpu_count() or 1
        return None if most is None else max(1, min(cores, (most - LEAST_MEMORY // 2) // WORKER))

    def start_engine(self) -> "Engine":
        """The engine that was asked for."""
        from keysift.engines.engine import get_engine

        return get_engine(self.engine, address=self.address, workers=self.workers())

    def forced(self, source: str, output: Path | None) -> bool:
        """Whether the source is read in shards whatever its size."""
        from keysift.corpus.scan import is_pattern

        return self.unsorted or self.engine != "local" or isinstance(output, DataSet) or is_pattern(source)

    def holds(self, plan: "Plan") -> bool:
        """Whether all documents can be learned from in memory, as they always were."""
        from keysift.corpus.scan import more_than

        small = self.bytes() is None or plan.bytes <= self.learned_bytes()
        return small and not more_than(plan, self.sample)


@dataclass(frozen=True)
class Look:
    """What a look at a source found."""

    plan: "Plan | None"
    """None where it is read into memory as a whole."""
    folder: Path
    """For what is only needed meanwhile."""
    spooled: Path | None = None
    """What came from standard input."""


@contextmanager
def look_at(
    source: str, reading: DocumentOptions, scale: Scale, work: Path | None, output: Path | None
) -> Iterator[Look]:
    """Find out whether a source is too large to be read as a whole, and if so, its shards."""
    scale.check()
    forced = scale.forced(source, output)
    if not forced and source != "-" and not _worth_a_look(source, reading, scale):
        yield Look(None, Path())
        return
    from keysift.corpus.scan import scan

    beside = work or (output.parent if output is not None and output.name != "-" else None)
    with tempfile.TemporaryDirectory(prefix=".keysift-", dir=beside, ignore_cleanup_errors=True) as folder:
        spooled = None
        if source == "-" and not forced:
            from keysift.corpus.contents import STANDARD_INPUT
            from keysift.corpus.spool import spool

            spooled = Path(folder) / "standard-input"
            spool(None, spooled, STANDARD_INPUT, encoding="utf-8", max_size=reading.max_size)
            if spooled.stat().st_size <= FEWEST * scale.sample:
                yield Look(None, Path(folder), spooled)
                return
        plan = scan(source, Path(folder), spooled=spooled, **reading.how())
        if forced or not scale.holds(plan):
            yield Look(plan, Path(folder), spooled)
        else:
            yield Look(None, Path(folder), spooled)


def _worth_a_look(source: str, reading: DocumentOptions, scale: Scale) -> bool:
    from keysift.corpus.scan import LINES
    from keysift.corpus.suffixes import kind_of

    path = Path(source)
    try:
        if path.is_dir():
            return sum(1 for _ in path.rglob("*")) > scale.sample or scale.memory is not None
        size = path.stat().st_size
    except (OSError, ValueError):
        return False  # to read it says what is wrong
    kind, zipped = kind_of(path)
    kind = reading.format or kind
    if kind not in (*LINES, "parquet"):
        return False
    return size * (ZIPPED if zipped or kind == "parquet" else 1) > FEWEST * scale.sample
