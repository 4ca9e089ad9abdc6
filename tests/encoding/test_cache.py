from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import save_file

from keysift.encoding import cache as room
from keysift.encoding.cache import Keys, VectorCache, cache_folder, content_keys, locate_keys
from keysift.errors import KeysiftWarning, OutputError, SettingError

TEXTS = pl.Series([f"text {number}" for number in range(200)])
KEYS = np.sort(content_keys("a model", TEXTS))
VECTORS = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float32)


def found(cache: VectorCache, keys: Keys = KEYS) -> NDArray[np.float32]:
    """The stored vectors, NaN where there is none."""
    matrix = np.full((len(keys), 3), np.nan, dtype=np.float32)
    for rows, vectors in cache.find(keys):
        matrix[rows] = vectors
    return matrix


def files(cache: VectorCache) -> list[Path]:
    return sorted(cache.folder.iterdir())


@given(st.lists(st.text("ab", max_size=3)), st.lists(st.text("ab", max_size=3)))
def test_keys_are_located_like_texts(texts: list[str], table: list[str]) -> None:
    keys = content_keys("", pl.Series(texts, dtype=pl.String))
    sorted_keys = np.unique(content_keys("", pl.Series(table, dtype=pl.String)))
    rows = locate_keys(keys, sorted_keys)
    assert (rows >= 0).tolist() == [text in table for text in texts]
    assert (sorted_keys[rows[rows >= 0]] == keys[rows >= 0]).all()


def test_what_is_added_is_found() -> None:
    cache = VectorCache.of("a model")
    assert np.isnan(found(cache)).all()
    order = np.random.default_rng(1).permutation(150)
    for rows in (order[:70], order[70:]):
        cache.add(KEYS[rows], VECTORS[rows])
    assert len(files(cache)) == 2
    assert found(cache)[:150].tobytes() == VECTORS[:150].tobytes()
    assert np.isnan(found(cache)[150:]).all()
    assert found(cache, KEYS[20:30]).tobytes() == VECTORS[20:30].tobytes()


def test_the_same_documents_are_the_same_file() -> None:
    cache = VectorCache.of("a model")
    assert cache.add(KEYS, VECTORS) == cache.add(KEYS, VECTORS)
    assert len(files(cache)) == 1


def test_another_identity_is_another_folder_and_another_key(cache: Path) -> None:
    one, other = VectorCache.of("../one"), VectorCache.of("../other" * 1000)
    assert one.folder.parent == other.folder.parent == cache / "vectors"
    assert one.folder != other.folder
    assert not set(content_keys("one", TEXTS).tolist()) & set(content_keys("other", TEXTS).tolist())


def damage_cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def damage_empty(path: Path) -> None:
    path.write_bytes(b"")


def damage_flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def damage_foreign(path: Path) -> None:
    save_file({"other": VECTORS}, path)


def damage_shape(path: Path) -> None:
    save_file({"keys": KEYS[:70].view(np.uint8).reshape(-1, 16), "vectors": VECTORS[:3]}, path)


def damage_keys(path: Path) -> None:
    save_file({"keys": VECTORS, "vectors": VECTORS}, path)


@pytest.mark.parametrize(
    "damage",
    [damage_cut, damage_empty, damage_flip, damage_foreign, damage_shape, damage_keys],
    ids=lambda f: f.__name__,
)
def test_a_damaged_file_is_named_and_removed(damage: Callable[[Path], None]) -> None:
    cache = VectorCache.of("a model")
    path = cache.add(KEYS[:70], VECTORS[:70])
    cache.add(KEYS[70:], VECTORS[70:])
    damage(path)
    with pytest.warns(KeysiftWarning, match=rf"{path.name} of stored vectors is damaged .*encoded again\.$"):
        matrix = found(cache)
    assert np.isnan(matrix[:70]).all()
    assert matrix[70:].tobytes() == VECTORS[70:].tobytes()
    assert not path.exists()


def test_many_small_files_become_one() -> None:
    cache = VectorCache.of("a model")
    for row in range(room.MANY_SMALL):
        cache.tidy()
        assert len(list(cache.folder.glob("*"))) == row
        cache.add(KEYS[[row]], VECTORS[[row]])
    cache.tidy()
    assert len(files(cache)) == 1
    assert found(cache)[: room.MANY_SMALL].tobytes() == VECTORS[: room.MANY_SMALL].tobytes()


def test_a_large_file_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MANY_SMALL", 2)
    cache = VectorCache.of("a model")
    wide = np.ones((200, 400), dtype=np.float32)
    large = cache.add(KEYS, wide)
    assert large.stat().st_size > room.SMALL_BYTES
    small = [cache.add(KEYS[[row]], wide[[row]]) for row in range(2)]
    cache.tidy()
    assert large in files(cache)
    assert len(files(cache)) == 2
    assert not set(small) & set(files(cache))


def test_tidying_keeps_a_file_that_holds_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MANY_SMALL", 2)
    cache = VectorCache.of("a model")
    whole = cache.add(KEYS, VECTORS)  # the keys are sorted, so the file made of both has this name
    cache.add(KEYS[:5], VECTORS[:5])
    cache.tidy()
    assert files(cache) == [whole]
    assert found(cache).tobytes() == VECTORS.tobytes()


def test_tidying_loses_nothing_when_a_file_is_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MANY_SMALL", 2)
    cache = VectorCache.of("a model")
    paths = [cache.add(KEYS[:5], VECTORS[:5]), cache.add(KEYS[5:], VECTORS[5:])]
    damage_cut(paths[0])
    cache.tidy()
    assert files(cache) == sorted(paths)


def test_a_file_that_goes_while_it_is_read_is_no_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = VectorCache.of("a model")
    gone = cache.add(KEYS[:5], VECTORS[:5])
    cache.add(KEYS[5:], VECTORS[5:])
    listed = files(cache)
    monkeypatch.setattr(VectorCache, "_files", lambda self: listed)
    gone.unlink()
    assert found(cache)[5:].tobytes() == VECTORS[5:].tobytes()


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="Cannot write"):
        VectorCache(tmp_path / "file" / "folder").add(KEYS, VECTORS)


def test_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KEYSIFT_CACHE", "~/own")
    assert cache_folder() == tmp_path / "own"
    monkeypatch.setenv("KEYSIFT_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "keysift"
    for none in ("relative", ""):
        monkeypatch.setenv("XDG_CACHE_HOME", none)
        assert cache_folder() == tmp_path / ".cache" / "keysift"


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYSIFT_CACHE", "~nobody-of-this-name/cache")
    with pytest.raises(SettingError, match="set KEYSIFT_CACHE to a folder"):
        cache_folder()
