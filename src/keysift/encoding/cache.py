"""Vectors kept on disk by the content of their documents, so that nothing is encoded twice.

A folder for each model, a safetensors file for each chunk of documents: written whole or not at all, never changed
afterwards, and holding hashes instead of texts. Processes may share it. Deleting it costs time and nothing else.
"""

import hashlib
import os
import warnings
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from keysift.atomic import written_whole
from keysift.errors import KeysiftWarning, OutputError, SettingError

__all__ = ["VectorCache", "cache_folder", "content_keys", "locate_keys"]

KEY_BYTES = 16
SMALL_BYTES = 2**18
MANY_SMALL = 64
"""So many files below `SMALL_BYTES` are made into one: who scores one document at a time gets a file for each."""

Keys = NDArray[np.void]


def cache_folder() -> Path:
    """The folder `KEYSIFT_CACHE` of the environment, else `keysift` where the user's caches are."""
    try:
        if own := os.environ.get("KEYSIFT_CACHE"):
            return Path(own).expanduser()
        shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
        # The XDG standard: a relative path is to be ignored.
        return (shared if shared.is_absolute() else Path.home() / ".cache") / "keysift"
    except RuntimeError:  # a user without a home
        raise SettingError(
            "Cannot keep the vectors of documents: this user has no home folder; set KEYSIFT_CACHE to a folder."
        ) from None


def content_keys(identity: str, texts: pl.Series) -> Keys:
    """A hash of 16 bytes for each text, another one under each identity.

    >>> keys = content_keys("a model", pl.Series(["text", "text", "Text"]))
    >>> (keys == keys[0]).tolist(), (keys == content_keys("another model", pl.Series(["text"]))).tolist()
    ([True, True, False], [False, False, False])
    """
    seed = hashlib.blake2b(identity.encode()).digest()
    hashes = (hashlib.blake2b(text.encode(), digest_size=KEY_BYTES, key=seed).digest() for text in texts)
    return np.frombuffer(bytearray(b"".join(hashes)), dtype=np.uint8).view(f"V{KEY_BYTES}")


def locate_keys(keys: Keys, table: Keys) -> NDArray[np.intp]:
    """Row of each key in a sorted table without repeats, -1 where it is not there.

    >>> table = np.sort(content_keys("", pl.Series(["a", "b", "c"])))
    >>> (table[locate_keys(content_keys("", pl.Series(["b"])), table)] == content_keys("", pl.Series(["b"]))).item()
    True
    >>> locate_keys(content_keys("", pl.Series(["x"])), table).tolist()
    [-1]
    """
    if not len(table):
        return np.full(len(keys), -1, dtype=np.intp)
    places = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.where(table[places] == keys, places, -1)


@dataclass(frozen=True)
class VectorCache:
    """The vectors of one model.

    >>> from tempfile import TemporaryDirectory
    >>> keys = np.sort(content_keys("a model", pl.Series(["a", "b"])))
    >>> with TemporaryDirectory() as folder:
    ...     cache = VectorCache(Path(folder))
    ...     _ = cache.add(keys[1:], np.array([[1, 2]], dtype=np.float32))
    ...     [(rows.tolist(), vectors.tolist()) for rows, vectors in cache.find(keys)]
    [([1], [[1.0, 2.0]])]
    """

    folder: Path

    @classmethod
    def of(cls, identity: str) -> "VectorCache":
        """The cache of the encoder with this identity."""
        return cls(cache_folder() / "vectors" / hashlib.blake2b(identity.encode(), digest_size=KEY_BYTES).hexdigest())

    def find(self, keys: Keys) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float32]]]:
        """Rows of `keys` (sorted, no repeats) whose vectors are here, and these, file by file.

        A damaged file is removed with a warning, so that its documents are encoded again.
        """
        for path in self._files():
            try:
                block = _read(path, keys)
            except FileNotFoundError:  # another process has just put it into a larger one
                continue
            except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
                warnings.warn(
                    f"The file {path} of stored vectors is damaged ({error}); it is removed, and its documents are"
                    " encoded again.",
                    KeysiftWarning,
                    stacklevel=2,
                )
                _remove(path)
                continue
            if block is not None:
                rows = locate_keys(block[0], keys)
                yield rows[rows >= 0], block[1][rows >= 0]

    def add(self, keys: Keys, vectors: NDArray[np.float32]) -> Path:
        """Store vectors in a file of their own, and return it; an `OutputError` if that cannot be."""
        path = self.folder / f"{hashlib.blake2b(keys.tobytes(), digest_size=KEY_BYTES).hexdigest()}.safetensors"
        arrays: dict[str, NDArray[Any]] = {
            "keys": np.ascontiguousarray(keys).view(np.uint8).reshape(-1, KEY_BYTES),
            "vectors": np.ascontiguousarray(vectors, dtype=np.float32),
        }
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with written_whole(path) as part:
                save_file(arrays, part, {"crc32": _sum(arrays["keys"], arrays["vectors"])})
        except (SafetensorError, OSError) as error:
            raise OutputError(f"Cannot write {path}: {error}; choose another place.") from error
        return path

    def tidy(self) -> None:
        """Make one file of many small ones."""
        small = [path for path in self._files() if _size(path) < SMALL_BYTES]
        if len(small) < MANY_SMALL:
            return
        try:
            blocks = [block for path in small if (block := _read(path)) is not None]
            keys, first = np.unique(np.concatenate([keys for keys, _ in blocks]), return_index=True)
            whole = self.add(keys, np.concatenate([vectors for _, vectors in blocks])[first])
        except (SafetensorError, OSError, KeyError, TypeError, ValueError):
            return  # damaged, gone or not to be written: nothing is lost, and whoever needs it next says so
        for path in small:
            if path.name != whole.name:
                _remove(path)

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("*.safetensors"))


def _read(path: Path, wanted: Keys | None = None) -> tuple[Keys, NDArray[np.float32]] | None:
    """Keys and vectors of a file, or None without reading the vectors if none is wanted."""
    with safe_open(path, framework="numpy") as file:
        bytes_ = file.get_tensor("keys")
        if bytes_.dtype != np.uint8 or bytes_.ndim != 2 or bytes_.shape[1] != KEY_BYTES:
            raise ValueError("its keys are no hashes")
        keys = np.ascontiguousarray(bytes_).view(f"V{KEY_BYTES}").ravel()
        if wanted is not None and (locate_keys(keys, wanted) < 0).all():
            return None
        vectors = file.get_tensor("vectors")
        metadata = file.metadata() or {}
    if vectors.dtype != np.float32 or vectors.ndim != 2 or len(vectors) != len(keys):
        raise ValueError("its vectors do not belong to its keys")
    if metadata.get("crc32") != _sum(bytes_, vectors):
        raise ValueError("its checksum is wrong")
    return keys, vectors


def _sum(keys: NDArray[Any], vectors: NDArray[Any]) -> str:
    return f"{zlib.crc32(vectors.data, zlib.crc32(keys.data)):08x}"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # gone
        return SMALL_BYTES


def _remove(path: Path) -> None:
    with suppress(OSError):  # not ours to remove; it is passed over each time
        path.unlink(missing_ok=True)
