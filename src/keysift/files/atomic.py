"""A result file is written whole or not at all, and is on the disk before it takes the place of an older one."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from keysift.errors import OutputError
from keysift.files.lock import hold

MARK = ".keysift-"
"""Part of the name of every file that is being written, by which what a killed run left is known again."""
PART = ".part"
LONGEST = 100
"""Characters of a target's name in that of its part: a name may have 255 bytes."""


def check_target(path: str | Path) -> Path:
    """Return `path`, or raise an error before any work starts if nothing can be written there."""
    path = Path(path)
    target = real_target(path)
    if target.is_dir():
        raise OutputError(f"Cannot write {path}: it is a folder; give the name of a file in it.")
    if target.exists() and not target.is_file():
        raise OutputError(f"Cannot write {path}: it is a device or a pipe, not a file; choose another name.")
    linked = path.is_symlink()
    folder = target.parent if linked else path.parent
    if not folder.is_dir():
        where = f"it is a link into the folder {folder}, which" if linked else f"the folder {folder}"
        raise OutputError(f"Cannot write {path}: {where} does not exist; create it or choose another.")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"Cannot write {path}: the folder {folder} is not writable; choose another.")
    return path


def stamp_of(path: Path) -> tuple[int, ...] | None:
    """What changes with a file, so that another's change is noticed; None where there is no file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def real_target(path: Path) -> Path:
    """Where a path leads through links; a link stays a link, and what it leads to is replaced."""
    try:
        target = path.resolve()
    except (RuntimeError, OSError):  # a loop, which newer Pythons leave as it is
        target = path
    if target.is_symlink():
        raise OutputError(
            f"Cannot write {path}: it is a link that leads back to itself; remove it, or choose another name."
        )
    return target


@contextmanager
def written_whole(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path next to `path`, and move it there only if the block succeeds.

    What an earlier run that was killed left beside the same target is removed first.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with written_whole(Path(folder) / "a.txt") as part:
    ...         _ = part.write_text("whole")
    ...     [file.name for file in Path(folder).iterdir()]
    ['a.txt']
    """
    path = real_target(check_target(path))
    remove_leftovers(path)
    # In the same folder, because only a move within one file system is atomic.
    try:
        part, handle = _new_part(path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        yield part
        # mkstemp makes private files; a result gets the permissions of any new file.
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask)
        _to_disk(part)
        part.replace(path)
        _to_disk(path.parent)  # the name, too
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        part.unlink(missing_ok=True)
        os.close(handle)  # and with it the lock


def remove_leftovers(path: Path) -> None:
    """Remove the parts of this target that no living process holds: those of a run that was killed."""
    start = f".{path.name[:LONGEST]}{MARK}"
    try:
        left = [file for file in path.parent.iterdir() if file.name.startswith(start) and file.name.endswith(PART)]
    except OSError:  # a folder that may be written and not listed
        return
    for file in left:
        with suppress(OSError):  # held by its owner, or not ours to remove
            handle = os.open(file, os.O_RDWR)
            try:
                if hold(handle):
                    file.unlink(missing_ok=True)
            finally:
                os.close(handle)


def _new_part(path: Path) -> tuple[Path, int]:
    """A new part and an open handle that holds it, so that nobody takes it for a leftover."""
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:LONGEST]}{MARK}", suffix=PART)
        held = hold(handle)
        # Between the two calls another run may have taken it for a leftover.
        if held is not False and Path(name).exists():
            return Path(name), handle
        os.close(handle)


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    folder = path.is_dir()
    try:
        handle = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
    except OSError:
        if folder:  # as on Windows: there is nothing to wait for
            return
        raise
    try:
        os.fsync(handle)
    except OSError:
        if not folder:  # some file systems cannot do it for a folder
            raise
    finally:
        os.close(handle)


def _cannot_write(path: Path, error: OSError) -> OutputError:
    return OutputError(f"Cannot write {path}: {error.strerror or error}; choose another place.")
