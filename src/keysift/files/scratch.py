"""A folder for what is only needed meanwhile; what a killed process left of one is removed by the next."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from keysift.errors import OutputError
from keysift.files.lock import hold

PREFIX = ".keysift-"
HELD = "held"
"""A file in the folder that its owner holds a lock on, for as long as it lives."""


@contextmanager
def scratch_folder(beside: str | Path | None = None) -> Iterator[Path]:
    """A new folder in the folder `beside`, by default in that of the system for such; it is gone at the end.

    >>> with tempfile.TemporaryDirectory() as beside:
    ...     with scratch_folder(beside) as folder:
    ...         _ = (folder / "copy.csv").write_text("text")
    ...     list(Path(beside).iterdir())
    []
    """
    parent = Path(tempfile.gettempdir() if beside is None else beside)
    remove_abandoned(parent)
    try:
        folder, handle = _new_folder(parent)
    except OSError as error:
        raise OutputError(f"Cannot write into {parent}: {error.strerror or error}; choose another place.") from error
    try:
        yield folder
    finally:
        os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned(parent: Path) -> None:
    """Remove the scratch folders in a folder that no living process holds."""
    try:
        left = [folder for folder in parent.iterdir() if folder.name.startswith(PREFIX)]
    except OSError:  # a folder that may be written and not listed
        return
    for folder in left:
        with suppress(OSError):  # none of ours, held by its owner, or not ours to remove
            handle = os.open(folder / HELD, os.O_RDWR)
            try:
                if hold(handle):
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(handle)


def _new_folder(parent: Path) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        handle = os.open(folder / HELD, os.O_RDWR | os.O_CREAT, 0o600)
        # Between the two calls another run may have taken it for abandoned.
        if hold(handle) is not False and (folder / HELD).exists():
            return folder, handle
        os.close(handle)
