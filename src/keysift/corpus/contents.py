"""The bytes of a source: fetched and unzipped within bounds, and turned into UTF-8."""

import codecs
import gzip
import io
import os
import stat
import sys
import zlib
from pathlib import Path
from typing import IO, Any, BinaryIO

from keysift.corpus import diagnosis
from keysift.corpus.detection import AUTO, detect, mended, mostly_utf8, unmarked_utf16, utf_mark
from keysift.errors import InputError, warn

STANDARD_INPUT = "standard input"
GZIP_MAGIC = b"\x1f\x8b"
CHUNK = 1 << 20
GIGABYTE = 10**9
MOST = 8 * GIGABYTE
"""Bytes that are read or unzipped at most, unless half of the memory is less or the user says otherwise."""
MOST_OF_DEVICE = 10**6
"""Bytes that a device such as /dev/zero may give before it is taken for endless."""
RATIO = 100
"""A file that unzips to more than this many times its size may fill a tenth of the limit only: text does not."""


def fetch(path: Path | None, name: str, max_size: float | None = None) -> bytes:
    """Read all bytes of a file, or of standard input if `path` is None; gzipped bytes are unzipped.

    `max_size` bounds both, in gigabytes; by default it is 8, or half of the memory if that is less.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "news.txt.gz"
    ...     _ = path.write_bytes(gzip.compress(b"a goal"))
    ...     fetch(path, "news.txt.gz")
    b'a goal'
    """
    limit = most_bytes(max_size)
    try:
        if path is None:
            data = _read(sys.stdin.buffer, name, limit)
        else:
            with path.open("rb") as file:
                data = _read(file, name, limit)
        named_gzip = path is not None and path.suffix.lower() == ".gz"
        if named_gzip or data.startswith(GZIP_MAGIC):
            return _unzipped(data, name, limit)
    except MemoryError:
        raise InputError(f"Cannot read {name}: the memory is not enough for it; split it, or free memory.") from None
    except OSError as error:
        raise cannot_read(name, error) from error
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"Cannot read {name}: {error}; check the name.") from error  # a NUL in it
    return data


def most_bytes(max_size: float | None) -> int:
    """How many bytes may be read, for a limit in gigabytes or None.

    >>> most_bytes(0.5)
    500000000
    """
    if max_size is not None:
        if not 0 < max_size < float("inf"):
            raise InputError(f"max_size must be a number of gigabytes above 0; got {max_size!r}.")
        return int(min(max_size * GIGABYTE, sys.maxsize))
    try:
        return min(MOST, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    except (AttributeError, ValueError, OSError):  # not every system tells
        return MOST


def _read(file: BinaryIO, name: str, limit: int) -> bytes:
    try:
        status = os.fstat(file.fileno())
    except OSError:  # no file of the system: what stands in for standard input
        regular, size, device = False, 0, False
    else:
        regular, size = stat.S_ISREG(status.st_mode), status.st_size
        device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    if regular and size:
        if size > limit:
            raise too_large(name, f"it has {_gigabytes(size)}", limit)
        return file.read()
    most = MOST_OF_DEVICE if device and not file.isatty() else limit
    parts, size = [], 0
    while chunk := file.read(CHUNK):
        parts.append(chunk)
        size += len(chunk)
        if size > most and device:
            raise endless(name)
        if size > most:
            raise too_large(name, f"it gave more than {_gigabytes(most)}", limit)
    return b"".join(parts)


def _unzipped(data: bytes, name: str, limit: int) -> bytes:
    """All of gzipped data; it stops as soon as there is too much."""
    parts, size = [], 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while chunk := file.read(CHUNK):
                parts.append(chunk)
                size += len(chunk)
                if size > limit:
                    raise too_large(name, f"it unzips to more than {_gigabytes(limit)}", limit)
                if size > limit // 10 and size > RATIO * len(data):
                    raise too_large(name, f"it unzips to more than {RATIO} times its size, as no text does", limit)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"Cannot read {name}: it is not gzip, or it is damaged ({error}); create or download it again."
        ) from error
    return b"".join(parts)


def is_device(file: IO[Any]) -> bool:
    """Whether a stream is a device other than a terminal, which may give bytes without end."""
    try:
        mode = os.fstat(file.fileno()).st_mode
    except OSError:  # no file of the system: what stands in for standard input
        return False
    return (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and not file.isatty()


def endless(name: str) -> InputError:
    """Say that a device gives bytes without end."""
    return InputError(f"Cannot read {name}: it is a device that gives bytes without end; name a file.")


def too_large(name: str, what: str, limit: int) -> InputError:
    """Say that there is more than may be read."""
    return InputError(
        f"Cannot read {name}: {what}, and the limit is {_gigabytes(limit)}; if that is right, raise the limit, in"
        " gigabytes, with max_size=."
    )


def _gigabytes(size: int) -> str:
    return f"{size / GIGABYTE:,.3g} GB"


def printable(path: object) -> str:
    r"""The name of a file as text that can be written anywhere; bytes that are no UTF-8 are replaced.

    >>> printable(Path("caf\udce9.csv")), printable("café.csv")
    ('caf�.csv', 'café.csv')
    """
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def cannot_read(name: str, error: OSError) -> InputError:
    """Say in one line why the bytes cannot be read.

    >>> cannot_read("news.csv", PermissionError(13, "Permission denied"))
    InputError('Cannot read news.csv: permission denied; choose another, or change its permissions.')
    """
    match error:
        case FileNotFoundError() | NotADirectoryError():
            why = "there is no such file or folder; check the name"
        case PermissionError():
            why = "permission denied; choose another, or change its permissions"
        case _:
            why = f"{error.strerror or error}; choose another"
    return InputError(f"Cannot read {name}: {why}.")


def check_encoding(encoding: str) -> None:
    """Refuse a name that Python does not know as a text encoding.

    >>> check_encoding("latin-1")
    """
    if encoding == AUTO:
        return
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    except (LookupError, ValueError) as error:
        raise InputError(
            f"The encoding {encoding!r} is unknown; "
            "name one that Python knows with encoding=, for example utf-8, latin-1, cp1252 or utf-16."
        ) from error


def as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Return `data` as valid UTF-8 without a byte order mark.

    The encoding "auto" is UTF-8 or what a byte order mark says, and where it is neither, UTF-16 without a mark or what
    a detector says, with a warning. Any other is taken at its word.

    >>> as_utf8("é".encode("latin-1"), "latin-1", "news.txt") == "é".encode()
    True
    """
    if encoding != AUTO:
        return _strictly(data, encoding, name)
    if mark := utf_mark(data):
        return _strictly(data, mark, name)
    if unmarked := unmarked_utf16(data):
        warn(
            f"{name} has no byte order mark, but a NUL at every second place, so it was read as {unmarked}; if letters"
            " look wrong, name its encoding with encoding=."
        )
        return _strictly(data, unmarked, name)
    try:
        return _strictly(data, "utf-8", name)
    except InputError as refused:
        where, _, remedy = str(refused).removesuffix(".").partition("; ")
        if mostly_utf8(data):
            # To read all of it in another encoding would spoil every other letter beyond ASCII.
            warn(f"{where}; such bytes were replaced by \ufffd; or {remedy}.")
            return mended(data)
        found = detect(data)
        if found is None:
            raise
        read = _strictly(data, found, name)
        warn(f"{where}, so it was read as {found}; if letters look wrong, name its encoding with encoding=.")
        return read


def _strictly(data: bytes, encoding: str, name: str) -> bytes:
    already = codecs.lookup(encoding).name in {"utf-8", "utf-8-sig"}
    # In chunks, because a single wide character makes a whole Python string four times as large.
    reader = io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline="")
    parts = []
    try:
        while chunk := reader.read(CHUNK):
            if not already:
                parts.append(chunk.encode())
    except UnicodeError as error:
        raise InputError(f"{name}: {diagnosis.undecodable(data, encoding)}.") from error
    return (data if already else b"".join(parts)).removeprefix(codecs.BOM_UTF8)
