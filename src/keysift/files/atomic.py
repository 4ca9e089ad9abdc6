"""A result file is written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from keysift.errors import OutputError


def check_target(path: str | Path) -> Path:
    """Return `path`, or raise an error before any work starts if nothing can be written there."""
    path = Path(path)
    if path.is_dir():
        raise OutputError(f"Cannot write {path}: it is a folder; give the name of a file in it.")
    if path.exists() and not path.is_file():
        raise OutputError(f"Cannot write {path}: it is a device or a pipe, not a file; choose another name.")
    if not path.parent.is_dir():
        raise OutputError(f"Cannot write {path}: the folder {path.parent} does not exist; create it or choose another.")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(f"Cannot write {path}: the folder {path.parent} is not writable; choose another.")
    return path


@contextmanager
def written_whole(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path next to `path`, and move it there only if the block succeeds.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with written_whole(Path(folder) / "a.txt") as part:
    ...         _ = part.write_text("whole")
    ...     [file.name for file in Path(folder).iterdir()]
    ['a.txt']
    """
    path = check_target(path).resolve()  # a link stays a link; its target is replaced
    # In the same folder, because only a move within one file system is atomic.
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.", suffix=".part")
    except OSError as error:
        raise _cannot_write(path, error) from error
    os.close(handle)
    part = Path(name)
    try:
        yield part
        # mkstemp makes private files; a result gets the permissions of any new file.
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask)
        part.replace(path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def _cannot_write(path: Path, error: OSError) -> OutputError:
    return OutputError(f"Cannot write {path}: {error.strerror or error}; choose another place.")
