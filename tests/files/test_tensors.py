import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from keysift.errors import ModelFileError, OutputError
from keysift.files import tensors
from keysift.files.tensors import FORMAT, Arrays, checksum, pack_words, read_model, unpack_words, write_model

ARRAYS = {
    "coef": np.array([0.1, -np.inf, np.nan]),
    "vectors": np.arange(6, dtype=np.float32).reshape(2, 3).T,  # not contiguous
    "none": np.empty((0, 3), dtype=np.int64),
}
SETTINGS = {"name": "été 日本", "list": [1, 2.5, None], "nested": {"a": True}}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "a.keysift"
    write_model(path, ARRAYS, SETTINGS)
    return path


def with_header(path: Path, header: str) -> Path:
    save_file({"coef": np.zeros(2)}, path, {"keysift": header})
    return path


def test_round_trip(model: Path) -> None:
    arrays, settings = read_model(model)
    assert settings == SETTINGS
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array)


def test_numbers_of_numpy_become_plain_ones(tmp_path: Path) -> None:
    write_model(tmp_path / "a", {}, {"prior": np.float32(0.5), "k": np.int64(3)})
    assert read_model(tmp_path / "a") == ({}, {"prior": 0.5, "k": 3})


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5)))
def test_words_round_trip(words: list[str]) -> None:
    series = pl.Series("word", words, dtype=pl.String)
    assert unpack_words(pack_words(series)).equals(series, check_names=True)


def test_words_round_trip_through_a_file(tmp_path: Path) -> None:
    for words in (["né", "", "日本", ""], []):
        write_model(tmp_path / "a", pack_words(pl.Series(words, dtype=pl.String)), {})
        assert unpack_words(read_model(tmp_path / "a")[0]).to_list() == words


def test_cut_short_anywhere(model: Path) -> None:
    whole = model.read_bytes()
    for length in (*range(0, len(whole), 7), len(whole) - 1):
        model.write_bytes(whole[:length])
        with pytest.raises(ModelFileError, match="damaged, cut short or no keysift model"):
            read_model(model)


@pytest.mark.parametrize(
    "content", [b"hello", b"", b"\x00" * 100, pickle.dumps({"coef": [1.0]}), pickle.dumps(ARRAYS), b"PK\x03\x04zip"]
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="no keysift model"):
        read_model(path)


@pytest.mark.parametrize("metadata", [None, {"format": "pt"}])
def test_foreign_safetensors(tmp_path: Path, metadata: dict[str, str] | None) -> None:
    save_file({"weight": np.zeros(3)}, tmp_path / "foreign", metadata)
    with pytest.raises(ModelFileError, match="is a safetensors file, but not a keysift model"):
        read_model(tmp_path / "foreign")


def test_newer_format(tmp_path: Path) -> None:
    path = with_header(tmp_path / "new", json.dumps({"format": FORMAT + 1, "settings": {}}))
    with pytest.raises(ModelFileError, match=f"has format {FORMAT + 1}.*pip install -U keysift"):
        read_model(path)


def test_older_format(tmp_path: Path) -> None:
    path = with_header(tmp_path / "old", json.dumps({"format": FORMAT - 1, "settings": {}}))
    with pytest.raises(ModelFileError, match=f"has format {FORMAT - 1}, from an older keysift.*fit and save it again"):
        read_model(path)


def test_the_order_of_the_settings_stays(tmp_path: Path) -> None:
    write_model(tmp_path / "a", ARRAYS, {"keywords": {"b": 1, "a": 2}})
    assert list(read_model(tmp_path / "a")[1]["keywords"]) == ["b", "a"]


@pytest.mark.parametrize("header",
    [
        "", "{", "[]", "3", '"text"', '{"format": 1}', '{"settings": {}}', '{"format": Infinity, "settings": {}}',
        '{"format": NaN, "settings": {}}', '{"format": 1e400, "settings": {}}', '{"format": true, "settings": {}}',
        '{"format": "6", "settings": {}}', '{"format": null, "settings": {}}', '{"format": -1, "settings": {}}',
        '{"format": 6, "settings": null}', '{"format": 6, "settings": [1]}', "[" * 100_000 + "]" * 100_000,
        '{"format": 6, "settings": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"format": ' + "9" * 5000 + ', "settings": {}}',
    ],
    ids=lambda header: header[:30],
)  # fmt: skip
def test_damaged_header(tmp_path: Path, header: str) -> None:
    with pytest.raises(ModelFileError, match="its header is damaged"):
        read_model(with_header(tmp_path / "bad", header))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "missing", "there is no such file"), (tmp_path, "it is a folder")):
        with pytest.raises(ModelFileError, match=message):
            read_model(path)
    with pytest.raises(OutputError, match="does not exist"):
        write_model(tmp_path / "missing" / "a", ARRAYS, SETTINGS)


def fail(*args: object) -> None:
    raise OSError("disk full")


@pytest.mark.parametrize(
    ("arrays", "settings", "save", "error"),
    [
        ({"bad": np.array(["text"])}, {}, save_file, OutputError),
        ({}, {"bad": object()}, save_file, TypeError),
        ({}, {}, fail, OutputError),
    ],
)
def test_a_failed_write_changes_nothing(
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    arrays: Arrays,
    settings: dict[str, Any],
    save: Callable[..., None],
    error: type[Exception],
) -> None:
    before = model.read_bytes()
    monkeypatch.setattr(tensors, "save_file", save)
    for path in (model, model.with_name("new")):
        with pytest.raises(error):
            write_model(path, arrays, settings)
    assert model.read_bytes() == before
    assert list(model.parent.iterdir()) == [model]


@pytest.mark.parametrize("kind", ["F8_E4M3", "F8_E5M2", "BF16", "F4"])
def test_kinds_of_numbers_that_numpy_does_not_have(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a"
    write_model(path, {"bytes": np.zeros(2, dtype=np.uint8)}, {})
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = content[8 : 8 + length].replace(
        b'"U8","shape":[2]', f'"{kind}","shape":[{1 if kind == "BF16" else 2}]'.encode()
    )
    path.write_bytes(len(header).to_bytes(8, "little") + header + content[8 + length :])
    with pytest.raises(ModelFileError, match="damaged, cut short or no keysift model"):
        read_model(path)


def test_the_checksum_covers_names_kinds_shapes_numbers_and_settings(tmp_path: Path) -> None:
    array = np.arange(4.0)
    whole = checksum({"a": array}, SETTINGS)
    for other in ({"b": array}, {"a": array.reshape(2, 2)}, {"a": array.view(np.int64)}, {"a": array + 1e-15}, {}):
        assert checksum(other, SETTINGS) != whole
    assert checksum({"a": array}, {**SETTINGS, "name": "other"}) != whole
    write_model(tmp_path / "a", {"a": array}, SETTINGS)
    assert checksum(*read_model(tmp_path / "a")) == whole


@pytest.mark.parametrize("given", [None, "", "0" * 32, 3])
def test_another_checksum(tmp_path: Path, given: object) -> None:
    header = json.dumps({"format": FORMAT, "checksum": given, "settings": {}})
    with pytest.raises(ModelFileError, match="its checksum is not that of its content"):
        read_model(with_header(tmp_path / "a", header))
