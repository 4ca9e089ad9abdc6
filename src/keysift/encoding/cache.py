"""Vectors kept on disk by the content of their documents, so that nothing is encoded twice.

One SQLite file holds the vectors of all encoders, with hashes in place of texts. Several processes may share it, and
deleting it costs time and nothing else. What is read is checked: the file could be damaged, or not be ours.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import OutputError, warn
from keysift.files.folders import cache_folder

FILE_NAME = "vectors-1.sqlite3"
"""The number goes up with the schema, so that two versions of keysift do not delete each other's file."""
SCHEMA = (
    "CREATE TABLE vector (encoder BLOB, key BLOB, numbers BLOB, crc32 INTEGER)",
    "CREATE UNIQUE INDEX vector_by_key ON vector (encoder, key)",
)
KEY_BYTES = 16
KEYS_AT_ONCE = 500
"""Keys in one query; some builds of SQLite accept at most 999."""
LARGEST_BYTES = 2**26
"""The largest vector that is read, whatever size a damaged file may claim."""
PATIENCE = 60.0
"""Seconds to wait while another process writes."""
NOT_DAMAGE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
)
"""Errors of SQLite that come from the disk, the folder or another process, not from the content of the file."""

Keys = NDArray[np.void]


def content_keys(identity: str, texts: pl.Series) -> Keys:
    """A hash of 16 bytes for each text, different under each identity.

    >>> keys = content_keys("a model", pl.Series(["text", "text", "Text"]))
    >>> (keys == keys[0]).tolist(), (keys == content_keys("another model", pl.Series(["text"]))).tolist()
    ([True, True, False], [False, False, False])
    """
    seed = hashlib.blake2b(identity.encode()).digest()
    hashes = (hashlib.blake2b(text.encode(), digest_size=KEY_BYTES, key=seed).digest() for text in texts)
    return np.frombuffer(bytearray(b"".join(hashes)), dtype=np.uint8).view(f"V{KEY_BYTES}")


@dataclass(frozen=True)
class VectorCache:
    """The stored vectors of one encoder.

    >>> from tempfile import TemporaryDirectory
    >>> keys = content_keys("a model", pl.Series(["a", "b"]))
    >>> with TemporaryDirectory() as folder:
    ...     cache = VectorCache(Path(folder) / "vectors.sqlite3", b"a model")
    ...     cache.add(keys[1:], np.array([[1, 2]], dtype=np.float32))
    ...     [(rows.tolist(), vectors.tolist()) for rows, vectors in cache.find(keys)]
    [([1], [[1.0, 2.0]])]
    """

    path: Path
    encoder: bytes
    """A hash of the encoder's identity."""

    @classmethod
    def of(cls, identity: str) -> "VectorCache":
        """The cache of the encoder with this identity, in the user's cache folder."""
        return cls(cache_folder() / FILE_NAME, hashlib.blake2b(identity.encode(), digest_size=KEY_BYTES).digest())

    def find(self, keys: Keys) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float32]]]:
        """Which of the `keys` (no repeats) are stored, and their vectors, in blocks of vectors of one length.

        A damaged vector is left out with a warning; a damaged file is removed with one.
        """
        stamp, damaged = _stamp(self.path), 0
        try:
            with closing(_connect(self.path, "rw")) as database:
                if not _has_tables(database):
                    return
                for start in range(0, len(keys), KEYS_AT_ONCE):
                    found, wrong = self._look_up(database, keys[start : start + KEYS_AT_ONCE])
                    damaged += wrong
                    for places, vectors in found:
                        yield start + places, vectors
        except sqlite3.Error as error:
            if _is_damage(error):
                _discard(self.path, stamp, error)
            elif _code(error) != sqlite3.SQLITE_CANTOPEN:  # there is no file yet
                _warn(f"The stored vectors in {self.path} cannot be read ({error}); their documents are encoded again.")
        if damaged:
            _warn(f"{damaged} of the vectors stored in {self.path} are damaged; their documents are encoded again.")

    def add(self, keys: Keys, vectors: NDArray[np.float32]) -> None:
        """Store vectors, all or none; raise an `OutputError` if the file cannot be written."""
        blobs = [vector.tobytes() for vector in vectors.astype("<f4", copy=False)]
        rows = [
            (self.encoder, key, blob, self._checksum(key, blob)) for key, blob in zip(_bytes(keys), blobs, strict=True)
        ]
        stamp = _stamp(self.path)
        try:
            try:
                self._insert(rows)
            except sqlite3.Error as error:
                if not _is_damage(error):
                    raise
                _discard(self.path, stamp, error)
                self._insert(rows)
        except (sqlite3.Error, OSError) as error:
            raise OutputError(f"Cannot write {self.path}: {error}; choose another place.") from error

    def _insert(self, rows: list[tuple[bytes, bytes, bytes, int]]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(_connect(self.path, "rwc")) as database, database:
            database.execute("BEGIN IMMEDIATE")
            if not _has_tables(database):
                for statement in SCHEMA:
                    database.execute(statement)
            database.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?)", rows)

    def _look_up(
        self, database: sqlite3.Connection, keys: Keys
    ) -> tuple[list[tuple[NDArray[np.intp], NDArray[np.float32]]], int]:
        """Places and vectors, one block for each length, and how many rows are damaged."""
        places = {key: place for place, key in enumerate(_bytes(keys))}
        marks = ", ".join("?" * len(places))
        query = f"SELECT key, numbers, crc32 FROM vector WHERE encoder = ? AND key IN ({marks})"
        blocks: dict[int, tuple[list[int], list[bytes]]] = {}
        wrong = 0
        for key, blob, checksum in database.execute(query, (self.encoder, *places)):
            if key in places and self._is_sound(key, blob, checksum):
                block = blocks.setdefault(len(blob), ([], []))
                block[0].append(places[key])
                block[1].append(blob)
            else:
                wrong += 1
        return [
            (np.array(rows, dtype=np.intp), np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1))
            for rows, blobs in blocks.values()
        ], wrong

    def _is_sound(self, key: bytes, blob: Any, checksum: Any) -> bool:
        whole = isinstance(blob, bytes) and len(blob) > 0 and len(blob) % 4 == 0
        return whole and bool(checksum == self._checksum(key, blob))

    def _checksum(self, key: bytes, blob: bytes) -> int:
        return zlib.crc32(blob, zlib.crc32(self.encoder + key))


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open the file; "rw" does not create it."""
    address = f"{path.absolute().as_uri()}?mode={mode}"
    database = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
    database.execute("PRAGMA page_size = 16384")  # of a new file: a fifth smaller with vectors of 384 numbers
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_BYTES)
    return database


def _has_tables(database: sqlite3.Connection) -> bool:
    """Whether the tables are there; a file with any others, or with a trigger that would run, is refused."""
    database.execute("PRAGMA cell_size_check = ON")
    found = tuple(sql for (sql,) in database.execute("SELECT sql FROM sqlite_master ORDER BY rowid"))
    if found not in ((), SCHEMA):
        raise sqlite3.DatabaseError("its tables are not those of keysift")
    return found == SCHEMA


def _code(error: sqlite3.Error) -> int | None:
    """The code of SQLite; None if the error is not from SQLite itself."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _is_damage(error: sqlite3.Error) -> bool:
    return _code(error) not in NOT_DAMAGE


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def _discard(path: Path, stamp: tuple[int, int, int] | None, error: sqlite3.Error) -> None:
    """Remove a damaged file, unless another process has just put a new one in its place."""
    _warn(
        f"The file {path} of stored vectors is damaged ({error}); it is removed, and its documents are encoded again."
    )
    if _stamp(path) == stamp:
        for name in (path.name, f"{path.name}-journal"):
            with suppress(OSError):  # not ours to remove; the next run says so again
                path.with_name(name).unlink(missing_ok=True)


def _bytes(keys: Keys) -> list[bytes]:
    return [key.tobytes() for key in keys]


def _warn(message: str) -> None:
    warn(message)
