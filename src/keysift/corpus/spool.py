"""A plain UTF-8 copy of a source that cannot be read from its middle: standard input, gzip, another encoding."""

import codecs
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from keysift.corpus import diagnosis
from keysift.corpus.contents import (
    CHUNK,
    GZIP_MAGIC,
    MOST,
    MOST_OF_DEVICE,
    RATIO,
    cannot_read,
    endless,
    is_device,
    most_bytes,
    too_large,
)
from keysift.corpus.detection import AUTO, detect, mostly_utf8, unmarked_utf16, utf_mark
from keysift.errors import InputError, OutputError, warn

HEAD = 1 << 24
"""Bytes by which the encoding of a file is told."""
UTF8 = ("utf-8", "utf-8-sig")


def is_gzip(path: Path) -> bool:
    """Whether a file is gzipped, by its name or its first bytes."""
    if path.suffix.lower() == ".gz":
        return True
    with path.open("rb") as file:
        return file.read(len(GZIP_MAGIC)) == GZIP_MAGIC


def beginning(path: Path, size: int = HEAD) -> bytes:
    """The first bytes of a file, unzipped."""
    with _opened(path, str(path), None) as file:
        return file.read(size)


def encoding_of(head: bytes, asked: str, name: str) -> str:
    """The encoding of a file by its beginning; one that nobody named and that is not UTF-8 is said.

    >>> encoding_of("ein schöner Tag".encode(), "auto", "a.txt"), encoding_of(b"x", "latin-1", "a.txt")
    ('utf-8', 'latin-1')
    """
    if asked != AUTO:
        return asked
    if mark := utf_mark(head):
        return mark
    if unmarked := unmarked_utf16(head[: len(head) // 2 * 2]):
        warn(f"{name} has no byte order mark and was read as {unmarked}; if letters look wrong, use encoding=.")
        return unmarked
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
        return "utf-8"
    except UnicodeDecodeError:
        found = None if mostly_utf8(head) else detect(head)
    if found is not None:
        warn(f"{name} is not UTF-8 and was read as {found}; if letters look wrong, name its encoding with encoding=.")
    return found or "utf-8"


def spool(source: Path | None, target: Path, name: str, *, encoding: str, max_size: float | None = None) -> None:
    r"""Copy a file, or standard input where there is none, unzipped and in UTF-8; never all of it in memory.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     zipped, plain = Path(folder) / "a.txt.gz", Path(folder) / "a.txt"
    ...     _ = zipped.write_bytes(gzip.compress("é\n".encode("latin-1")))
    ...     spool(zipped, plain, "a.txt.gz", encoding="latin-1")
    ...     plain.read_text(encoding="utf-8")
    'é\n'
    """
    try:
        with _opened(source, name, max_size) as file, target.open("wb") as copy:
            for chunk in _in_utf8(file, encoding, name):
                _write(copy, chunk, target)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"Cannot read {name}: it is not gzip, or it is damaged ({error}); create or download it again."
        ) from error
    except OSError as error:
        raise cannot_read(name, error) from error


def _write(copy: BinaryIO, chunk: bytes, target: Path) -> None:
    try:
        copy.write(chunk)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise OutputError(
            f"Cannot write {target}: {why}; choose another work folder with work=, on a larger disk."
        ) from error


def _in_utf8(file: BinaryIO, encoding: str, name: str) -> Iterator[bytes]:
    if codecs.lookup(encoding).name in UTF8:
        first = file.read(CHUNK)
        yield first.removeprefix(codecs.BOM_UTF8)
        while chunk := file.read(CHUNK):
            yield chunk
        return
    try:
        reader = io.TextIOWrapper(file, encoding=encoding, newline="")
        while text := reader.read(CHUNK):
            yield text.encode()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: {diagnosis.undecodable(bytes(error.object), encoding)}.") from error


@contextmanager
def _opened(path: Path | None, name: str, max_size: float | None) -> Iterator[BinaryIO]:
    """The unzipped bytes, within bounds."""
    if path is None:
        given = io.BufferedReader(sys.stdin.buffer)  # type: ignore[type-var]  # whatever stands in for it can be read
        zipped = given.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC)
        yield _bounded(gzip.GzipFile(fileobj=given) if zipped else given, name, max_size, device=is_device(sys.stdin))
        given.detach()  # standard input stays open
        return
    with path.open("rb") as file:
        if is_gzip(path):
            with gzip.GzipFile(fileobj=file) as unzipped:
                yield _bounded(unzipped, name, max_size, zipped=path.stat().st_size)
        else:
            yield _bounded(file, name, max_size)


def _bounded(
    file: io.BufferedIOBase, name: str, max_size: float | None, *, zipped: int | None = None, device: bool = False
) -> BinaryIO:
    bounded = _Bounded(file, name, max_size, zipped, device)
    return io.BufferedReader(bounded)  # type: ignore[type-var]  # the stubs want more of it than is used


class _Bounded(io.RawIOBase):
    """A stream that ends in an error where it gives more than is allowed, or unzips to more than any text does."""

    def __init__(
        self, file: io.BufferedIOBase, name: str, max_size: float | None, zipped: int | None, device: bool
    ) -> None:
        self.file, self.name, self.given, self.zipped, self.device = file, name, 0, zipped, device
        self.limit = None if max_size is None else most_bytes(max_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        chunk = self.file.read(len(buffer))
        buffer[: len(chunk)] = chunk
        self.given += len(chunk)
        if self.device and self.given > MOST_OF_DEVICE:
            raise endless(self.name)
        if self.limit is not None and self.given > self.limit:
            raise too_large(self.name, "there is more than that to read", self.limit)
        if self.zipped is not None and self.given > MOST // 10 and self.given > RATIO * self.zipped:
            raise too_large(self.name, f"it unzips to more than {RATIO} times its size, as no text does", MOST)
        return len(chunk)
