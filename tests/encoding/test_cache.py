import sqlite3
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift.encoding import cache as room
from keysift.encoding.cache import FILE_NAME, Keys, VectorCache, content_keys
from keysift.errors import KeysiftWarning, OutputError

TEXTS = pl.Series([f"text {number}" for number in range(1200)])
KEYS = np.sort(content_keys("a model", TEXTS))
VECTORS = np.random.default_rng(0).normal(size=(1200, 3)).astype(np.float32)


def found(cache: VectorCache, keys: Keys = KEYS) -> NDArray[np.float32]:
    """The stored vectors, NaN where there is none."""
    matrix = np.full((len(keys), 3), np.nan, dtype=np.float32)
    for rows, vectors in cache.find(keys):
        matrix[rows] = vectors
    return matrix


def changed(cache: VectorCache, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(cache.path)) as database, database:
        database.execute(statement, values)


def test_what_is_added_is_found(cache: Path) -> None:
    stored = VectorCache.of("a model")
    assert np.isnan(found(stored)).all()
    assert not cache.exists()  # looking creates nothing
    order = np.random.default_rng(1).permutation(1100)
    for rows in (order[:700], order[700:]):
        stored.add(KEYS[rows], VECTORS[rows])
    assert [path.name for path in cache.iterdir()] == [FILE_NAME]
    assert found(stored)[:1100].tobytes() == VECTORS[:1100].tobytes()
    assert np.isnan(found(stored)[1100:]).all()
    assert found(stored, KEYS[20:30]).tobytes() == VECTORS[20:30].tobytes()
    assert found(stored, KEYS[:0]).shape == (0, 3)


def test_the_same_document_is_stored_once() -> None:
    cache = VectorCache.of("a model")
    cache.add(KEYS, VECTORS)
    size = cache.path.stat().st_size
    cache.add(KEYS, VECTORS)
    assert cache.path.stat().st_size <= 2 * size
    cache.add(KEYS[:1], VECTORS[1:2])  # the last one counts
    assert found(cache)[0].tobytes() == VECTORS[1].tobytes()
    assert found(cache)[1:].tobytes() == VECTORS[1:].tobytes()


def test_another_identity_has_other_vectors_and_keys() -> None:
    one, other = VectorCache.of("../one"), VectorCache.of("../other" * 1000)
    assert one.path == other.path
    one.add(KEYS, VECTORS)
    assert np.isnan(found(other)).all()
    other.add(KEYS, -VECTORS)
    assert found(one).tobytes() == VECTORS.tobytes()
    assert found(other).tobytes() == (-VECTORS).tobytes()
    assert not set(content_keys("one", TEXTS).tolist()) & set(content_keys("other", TEXTS).tolist())


def test_vectors_of_two_lengths_come_apart() -> None:
    cache = VectorCache.of("a model")
    cache.add(KEYS[:2], VECTORS[:2])
    cache.add(KEYS[2:4], np.ones((2, 5), dtype=np.float32))
    assert sorted(vectors.shape for _, vectors in cache.find(KEYS)) == [(2, 3), (2, 5)]


def damage_cut(cache: VectorCache) -> None:
    cache.path.write_bytes(cache.path.read_bytes()[:-20_000])


def damage_foreign(cache: VectorCache) -> None:
    cache.path.write_bytes(b"something else " * 5000)


def damage_other_tables(cache: VectorCache) -> None:
    cache.path.unlink()
    changed(cache, "CREATE TABLE vector (a, b)")


def damage_trigger(cache: VectorCache) -> None:
    changed(cache, "CREATE TRIGGER extra AFTER INSERT ON vector BEGIN DELETE FROM vector; END")


def damage_view(cache: VectorCache) -> None:
    changed(cache, "ALTER TABLE vector RENAME TO other")
    changed(cache, "CREATE VIEW vector AS SELECT * FROM other")


@pytest.mark.parametrize(
    "damage",
    [damage_cut, damage_foreign, damage_other_tables, damage_trigger, damage_view],
    ids=lambda function: function.__name__,
)
@pytest.mark.parametrize("writing", [False, True])
def test_a_damaged_file_is_named_and_rebuilt(damage: Callable[[VectorCache], None], writing: bool) -> None:
    cache = VectorCache.of("a model")
    cache.add(KEYS, VECTORS)
    damage(cache)
    with pytest.warns(KeysiftWarning, match=rf"{FILE_NAME} of stored vectors is damaged .*again\.$") as caught:
        cache.add(KEYS, VECTORS) if writing else found(cache)
    assert len(caught) == 1
    assert cache.path.exists() == writing
    cache.add(KEYS, VECTORS)
    assert found(cache).tobytes() == VECTORS.tobytes()


def test_a_vector_that_claims_to_be_huge_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LARGEST_BYTES", 2**16)
    cache = VectorCache.of("a model")
    cache.add(KEYS[:1], VECTORS[:1])
    changed(cache, "UPDATE vector SET numbers = zeroblob(?)", 2**17)
    with pytest.warns(KeysiftWarning, match=r"is damaged \(string or blob too big\)"):
        assert np.isnan(found(cache)).all()
    assert not cache.path.exists()


@pytest.mark.parametrize("value", [b"", b"abc", b"\0" * 12, b"\0" * 13, "text", 7, None])
def test_a_damaged_vector_is_left_out_and_replaced(value: object) -> None:
    cache = VectorCache.of("a model")
    cache.add(KEYS, VECTORS)
    for row in (3, 700):
        changed(cache, "UPDATE vector SET numbers = ? WHERE key = ?", value, KEYS[row].tobytes())
    with pytest.warns(KeysiftWarning, match="^2 of the vectors stored in .* are damaged") as caught:
        matrix = found(cache)
    assert len(caught) == 1
    assert np.flatnonzero(np.isnan(matrix).any(axis=1)).tolist() == [3, 700]
    cache.add(KEYS[[3, 700]], VECTORS[[3, 700]])
    assert found(cache).tobytes() == VECTORS.tobytes()


def test_a_vector_under_another_key_is_noticed() -> None:
    cache = VectorCache.of("a model")
    cache.add(KEYS[:1], VECTORS[:1])
    changed(cache, "UPDATE vector SET key = ?", KEYS[1].tobytes())
    with pytest.warns(KeysiftWarning, match="^1 of the vectors"):
        assert np.isnan(found(cache)).all()


def test_whatever_byte_is_wrong_no_wrong_vector_is_given() -> None:
    cache, keys, vectors = VectorCache.of("a model"), KEYS[:300], VECTORS[:300]
    cache.add(keys, vectors)
    whole = cache.path.read_bytes()
    rng = np.random.default_rng(2)
    noticed = 0
    for place in [*range(100), *rng.integers(100, len(whole), 100).tolist()]:
        content = bytearray(whole)
        content[place] ^= int(rng.integers(1, 256))
        cache.path.write_bytes(content)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            matrix = found(cache, keys)
            with suppress(OutputError):  # one of the bytes makes the file read-only
                cache.add(keys[:2], vectors[:2])
        noticed += bool(caught)
        assert ((matrix == vectors) | np.isnan(matrix)).all()
        for extra in ("-journal", "-wal", "-shm"):
            cache.path.with_name(FILE_NAME + extra).unlink(missing_ok=True)
    assert noticed > 20


def test_a_new_file_in_its_place_is_not_removed() -> None:
    cache = VectorCache.of("a model")
    cache.add(KEYS[:600], VECTORS[:600])
    before = room._stamp(cache.path)
    cache.path.unlink()
    cache.add(KEYS, VECTORS)  # by another process, while this one still has the damaged file open
    with pytest.warns(KeysiftWarning, match="is damaged"):
        room._discard(cache.path, before, sqlite3.DatabaseError("malformed"))
    assert found(cache).tobytes() == VECTORS.tobytes()


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "folder" / "a", tmp_path):
        cache = VectorCache(path, b"a model")
        assert np.isnan(found(cache)).all()
        with pytest.raises(OutputError, match=r"^Cannot write .*; choose another place"):
            cache.add(KEYS, VECTORS)


def test_a_file_that_stays_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE", 0.05)
    cache = VectorCache.of("a model")
    cache.add(KEYS, VECTORS)
    with closing(sqlite3.connect(cache.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.warns(KeysiftWarning, match=r"cannot be read \(database is locked\)"):
            assert np.isnan(found(cache)).all()
        with pytest.raises(OutputError, match="database is locked"):
            cache.add(KEYS, VECTORS)
    assert found(cache).tobytes() == VECTORS.tobytes()


PROCESS = """
import os, sys
import numpy as np, polars as pl
from keysift.encoding.cache import VectorCache, content_keys
number = int(sys.argv[1])
keys = np.sort(content_keys("a model", pl.Series([f"text {row}" for row in range(1200)])))
vectors = np.random.default_rng(0).normal(size=(1200, 3)).astype(np.float32)
cache = VectorCache.of("a model")
for start in range(100 * number, 1200, 30):
    cache.add(keys[start : start + 30], vectors[start : start + 30])
    for rows, stored in cache.find(keys):
        assert (stored == vectors[rows]).all()
"""


def test_processes_share_it() -> None:
    running = [subprocess.Popen([sys.executable, "-W", "error", "-c", PROCESS, str(number)]) for number in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    assert found(VectorCache.of("a model")).tobytes() == VECTORS.tobytes()


KILLED = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN IMMEDIATE")
database.execute("UPDATE vector SET numbers = zeroblob(400)")
os._exit(9)
"""


def test_a_process_that_dies_while_it_writes_changes_nothing() -> None:
    cache = VectorCache.of("a model")
    cache.add(KEYS, VECTORS)
    assert subprocess.run([sys.executable, "-c", KILLED, str(cache.path)]).returncode == 9
    assert cache.path.with_name(f"{FILE_NAME}-journal").exists()
    assert found(cache).tobytes() == VECTORS.tobytes()


def test_it_is_fast() -> None:
    cache = VectorCache.of("a model")
    keys = np.unique(content_keys("", pl.Series([f"text {number}" for number in range(20_000)])))
    vectors = np.ones((20_000, 384), dtype=np.float32)
    start = time.process_time()
    cache.add(keys, vectors)
    assert time.process_time() - start < 1.0
    start = time.process_time()
    assert sum(len(rows) for rows, _ in cache.find(keys)) == 20_000
    assert time.process_time() - start < 0.5
