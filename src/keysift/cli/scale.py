"""Corpora larger than memory: the options, and the look at a source that tells whether it is one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.reading import DocumentOptions
from keysift.streaming.scale import SAMPLE, DataSet, Scale, beside

if TYPE_CHECKING:
    from keysift.corpus.scan import Plan

FEWEST = 2
"""Bytes of the shortest document, with its line break."""
ZIPPED = 20
"""Times that a zipped text may grow, where it is only to be told whether it is worth a look."""
PANEL = "Scale"


@dataclass(frozen=True)
class ScaleOptions:
    """How a corpus that does not fit into memory is worked on."""

    sample: Annotated[
        int, typer.Option(help="Documents learned from at most; all others are only scored.", rich_help_panel=PANEL)
    ] = SAMPLE
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

    def scale(self) -> Scale:
        """The same for the library, which refuses what cannot be meant."""
        return Scale(**vars(self))


def forced(scale: Scale, source: str, output: Path | None) -> bool:
    """Whether the source is read in shards whatever its size."""
    from keysift.corpus.scan import is_pattern

    return scale.unsorted or scale.engine != "local" or isinstance(output, DataSet) or is_pattern(source)


def holds(scale: Scale, plan: "Plan") -> bool:
    """Whether all documents can be learned from in memory, as they always were."""
    from keysift.corpus.scan import more_than

    small = scale.bytes() is None or plan.bytes <= scale.learned_bytes()
    return small and not more_than(plan, scale.sample)


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
    in_shards = forced(scale, source, output)
    if not in_shards and source != "-" and not _worth_a_look(source, reading, scale):
        yield Look(None, Path())
        return
    from keysift.corpus.scan import scan
    from keysift.files.scratch import scratch_folder

    with scratch_folder(beside(work, output)) as folder:
        spooled = None
        if source == "-" and not in_shards:
            from keysift.corpus.contents import STANDARD_INPUT
            from keysift.corpus.spool import spool

            spooled = folder / "standard-input"
            spool(None, spooled, STANDARD_INPUT, encoding="utf-8", max_size=reading.max_size)
            if spooled.stat().st_size <= FEWEST * scale.sample:
                yield Look(None, folder, spooled)
                return
        plan = scan(source, folder, spooled=spooled, **reading.how())
        yield Look(plan if in_shards or not holds(scale, plan) else None, folder, spooled)


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
