"""One process at a time: a lock that ends with its process, however that ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from keysift.errors import OutputError


def hold(handle: int) -> bool | None:
    """Lock an open file without waiting: whether it is ours now; None where this system cannot tell.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as one, open(one.name, "rb") as again:
    ...     hold(one.fileno()), hold(again.fileno())
    (True, False)
    """
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


@contextmanager
def only_one(path: str | Path, doing: str) -> Iterator[None]:
    """Run the block unless another process does the same with `path`; `doing` says what, as in "is being labelled".

    The lock is a file beside `path`, which goes away at the end. What a killed process left of it locks nobody out.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, only_one(Path(folder) / "a.csv", "is being labelled"):
    ...     with only_one(Path(folder) / "a.csv", "is being labelled"):
    ...         pass
    Traceback (most recent call last):
    ...
    keysift.errors.OutputError: ...a.csv is being labelled by another process (number ...); finish there first.
    """
    real = Path(path).resolve()  # whatever link it is called by
    beside = real.with_name(f".{real.name[:200]}.lock")
    handle = _taken(beside)
    if handle is None:
        raise OutputError(f"{path} {doing} by another process{_number(beside)}; finish there first.")
    try:
        yield
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        os.close(handle)


def _taken(beside: Path) -> int | None:
    """A handle that holds the lock, or None if somebody else does."""
    while True:
        try:
            handle = os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise OutputError(f"Cannot write {beside}: {error.strerror or error}; choose another place.") from error
        if hold(handle) is False:
            os.close(handle)
            return None
        try:
            same = os.path.samestat(os.fstat(handle), beside.stat())
        except OSError:
            same = False
        if same:  # and not a file that its last owner has just removed
            with suppress(OSError):
                os.truncate(handle, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
            return handle
        os.close(handle)


def _number(beside: Path) -> str:
    try:
        text = beside.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return f" (number {text})" if text.isdigit() else ""
