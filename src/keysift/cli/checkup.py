"""What keysift needs of a machine, checked one thing at a time."""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import TYPE_CHECKING

from keysift import __version__
from keysift.errors import KeysiftError

if TYPE_CHECKING:
    from packaging.requirements import Requirement

NOT_OURS = ("dev", "bench")
"""Extras for who works on keysift itself."""
LEAST_MEMORY = 1.0
"""Gigabytes; less is not enough for some ten thousand documents with the encoder."""
LEAST_DISK = 0.2
"""Gigabytes; the vectors of 100,000 documents take about as much."""
SHOWN = "█ … – “ü” ≥"
"""Characters that keysift prints."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `problem` says whether it needs attention, `advice` what to do."""

    name: str
    value: str
    problem: bool = False
    advice: str = ""


def findings() -> Iterator[Finding]:
    """Everything, one after the other."""
    yield Finding("keysift", __version__)
    yield Finding("Python", f"{platform.python_version()} ({platform.system()}, {platform.machine()})")
    yield from dependencies()
    yield from extras()
    yield encoder()
    yield from cache()
    yield current_folder()
    yield threads()
    yield memory()
    yield terminal()


def dependencies() -> Iterator[Finding]:
    """What keysift is installed with, in versions that it works with."""
    try:
        wanted = _requirements("")
    except PackageNotFoundError:
        yield Finding("packages", "keysift is not installed as a package", True, "Run pip install . in its folder.")
        return
    there = []
    for requirement in wanted:
        wrong = _wrong(requirement)
        if wrong:
            yield Finding(requirement.name, wrong, True, f"Run: pip install --upgrade {_quoted(str(requirement))}")
        else:
            there.append(f"{requirement.name} {version(requirement.name)}")
    yield Finding("packages", ", ".join(there))


def extras() -> Iterator[Finding]:
    """What can be added, and the line that adds it."""
    try:
        names = [name for name in metadata("keysift").get_all("Provides-Extra") or [] if name not in NOT_OURS]
    except PackageNotFoundError:
        return
    for name in names:
        wrong = [(one, _wrong(one)) for one in _requirements(name)]
        lacking = [f"{one.name} {why}" for one, why in wrong if why]
        there = ", ".join(f"{one.name} {version(one.name)}" for one, why in wrong if not why)
        line = _quoted(f"keysift[{name}]")
        if not lacking:
            yield Finding(f"extra {name}", there)
        elif all(why == MISSING for _, why in wrong if why):
            yield Finding(f"extra {name}", "not installed", advice=f"if you need it, pip install {line}")
        else:
            yield Finding(f"extra {name}", "; ".join(lacking), True, f"Run: pip install --upgrade {line}")


def encoder() -> Finding:
    """Whether the encoder that comes with keysift is whole, and runs."""
    from keysift.encoding import minilm

    try:
        minilm.encode(["a short text"])
    except KeysiftError as error:
        return Finding("encoder", "minilm cannot be used", True, f"{error} Until then, --encoder none does without.")
    return Finding("encoder", "minilm: its files are intact, and it runs")


def cache() -> Iterator[Finding]:
    """The folder in which sentence vectors are kept: where it is, how large, and whether it can be written."""
    from keysift.files.folders import cache_folder

    try:
        folder = cache_folder()
    except KeysiftError as error:
        yield Finding("cache", "no folder", True, str(error))
        return
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else 0
    value = f"{folder} ({size / 1e6:,.0f} MB)"
    if why := _unwritable(folder):
        advice = "Set KEYSIFT_CACHE to a folder that you may write; without it, every run encodes again."
        yield Finding("cache", f"{value}: {why}", True, advice)
        return
    yield Finding("cache", f"{value}, writable; it may be deleted at any time")
    free = shutil.disk_usage(_existing(folder)).free / 1e9
    short = free < LEAST_DISK
    advice = "Free some space, or set KEYSIFT_CACHE to another disk." if short else ""
    yield Finding("disk of the cache", f"{free:,.1f} GB free", short, advice)


def current_folder() -> Finding:
    """Whether results can be written here."""
    try:
        here = Path.cwd()
    except OSError:
        return Finding("this folder", "is not there any more", True, "Change to another folder.")
    if why := _unwritable(here):
        return Finding("this folder", f"{here}: {why}", True, "Write results elsewhere: -o /another/folder/ranking.csv")
    return Finding("this folder", f"{here}, writable")


def threads() -> Finding:
    """How many cores may be used, and what limits them."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limits = {name: os.environ[name] for name in THREADS if name in os.environ}
    value = f"{allowed} of {os.cpu_count() or 1} cores" + "".join(f", {name}={limit}" for name, limit in limits.items())
    wrong = [name for name, limit in limits.items() if not limit.isdecimal() or int(limit) < 1]
    advice = f"Set {' and '.join(wrong)} to a whole number above 0, or unset it." if wrong else ""
    return Finding("threads", value, bool(wrong), advice)


def memory() -> Finding:
    """How much memory there is, where the system tells."""
    free, total = _memory()
    if total is None:
        return Finding("memory", "unknown on this system")
    value = f"{total:,.1f} GB" if free is None else f"{free:,.1f} of {total:,.1f} GB free"
    short = (total if free is None else free) < LEAST_MEMORY
    advice = "Close other programs, or do without the encoder: --encoder none." if short else ""
    return Finding("memory", value, short, advice)


def terminal() -> Finding:
    """Whether the terminal can show what keysift prints."""
    encoding = sys.stdout.encoding or "none"
    try:
        SHOWN.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return Finding("terminal", f"encoding {encoding}", True, "Set PYTHONUTF8=1, so that all letters can be shown.")
    return Finding("terminal", f"encoding {encoding}")


MISSING = "is not installed"


def _requirements(extra: str) -> "list[Requirement]":
    """What the package itself, or one of its extras, requires; an extra that another includes is taken apart."""
    from packaging.requirements import Requirement

    found: list[Requirement] = []
    for line in requires("keysift") or []:
        one = Requirement(line)
        plain = one.marker is None or one.marker.evaluate({"extra": ""})
        if plain if not extra else (not plain and one.marker is not None and one.marker.evaluate({"extra": extra})):
            inner = [part for name in one.extras for part in _requirements(name)] if one.name == "keysift" else [one]
            found += [part for part in inner if part.name not in {other.name for other in found}]
    return found


def _wrong(requirement: "Requirement") -> str:
    """What is wrong with an installed package; empty where nothing is."""
    try:
        there = version(requirement.name)
    except PackageNotFoundError:
        return MISSING
    fits = requirement.specifier.contains(there, prereleases=True)
    return "" if fits else f"is {there}, but keysift needs {requirement.specifier}"


def _quoted(requirement: str) -> str:
    name = requirement.split(";")[0].strip()
    return f"'{name}'"


def _existing(folder: Path) -> Path:
    return next(one for one in (folder, *folder.parents) if one.exists())


def _unwritable(folder: Path) -> str:
    """Why no file can be made in a folder, or in the first one above it that is there; empty where one can."""
    place = _existing(folder)
    if not place.is_dir():
        return f"{place} is a file"
    try:
        with tempfile.TemporaryFile(dir=place):
            return ""
    except OSError as error:
        return (error.strerror or str(error)).lower()


def _memory() -> tuple[float | None, float | None]:
    """Gigabytes that are free and that there are; None where the system does not tell."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    except (AttributeError, OSError, ValueError):
        return None, None
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")) * 1024 / 1e9
    except (OSError, StopIteration, ValueError):
        return None, total
    return free, total
