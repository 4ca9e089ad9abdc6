"""The bytes of a source: fetched, unzipped, and turned into UTF-8."""

import codecs
import gzip
import io
import sys
import zlib
from pathlib import Path

from keysift.corpus import diagnosis
from keysift.errors import InputError

STANDARD_INPUT = "standard input"
GZIP_MAGIC = b"\x1f\x8b"
CHUNK = 1 << 20


def fetch(path: Path | None, name: str) -> bytes:
    """Read all bytes of a file, or of standard input if `path` is None; gzipped bytes are unzipped.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "news.txt.gz"
    ...     _ = path.write_bytes(gzip.compress(b"a goal"))
    ...     fetch(path, "news.txt.gz")
    b'a goal'
    """
    try:
        data = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except OSError as error:
        raise cannot_read(name, error) from error
    named_gzip = path is not None and path.suffix.lower() == ".gz"
    if not named_gzip and not data.startswith(GZIP_MAGIC):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"Cannot read {name}: it is not gzip, or it is damaged ({error}); create or download it again."
        ) from error


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
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    except (LookupError, ValueError) as error:
        raise InputError(
            f"The encoding {encoding!r} is unknown; "
            "name one that Python knows with encoding=, for example utf-8, latin-1, cp1252 or utf-16."
        ) from error


def as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Return `data` as valid UTF-8 without a byte order mark.

    >>> as_utf8("é".encode("latin-1"), "latin-1", "news.txt") == "é".encode()
    True
    """
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
