import functools
import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift.encoding.cache import FILE_NAME
from keysift.encoding.encode import encode_documents
from keysift.encoding.encoder import TextEncoder, get_encoder
from keysift.encoding.precomputed import Precomputed
from keysift.errors import SettingError

TEXTS = pl.Series(
    ["The goalie stopped the puck.", "A hockey match.", "The court signed the verdict.", "A hockey match."]
)
WITHOUT_ENCODERS = """
import sys

class NoEncoders:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("sentence_transformers", "torch"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoEncoders())
"""


def without_encoders(code: str, *arguments: object) -> list[str]:
    command = [sys.executable, "-c", WITHOUT_ENCODERS + code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


class WithEncode:
    def encode(self, texts: list[str]) -> Any:
        return [[len(text)] for text in texts]

    def __call__(self, features: Any) -> Any:
        raise NotImplementedError  # as a SentenceTransformer, which is not called with texts


def lengths(texts: list[str], factor: int = 1) -> Any:
    return [[factor * len(text)] for text in texts]


def test_a_real_model_gives_meaning_and_is_not_needed_twice(
    minilm: Path, cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    encoder = get_encoder(minilm)
    assert encoder.name == str(minilm)
    vectors = encode_documents(encoder, TEXTS)
    assert vectors.shape == (4, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2
    assert vectors[1].tobytes() == vectors[3].tobytes()
    assert capfd.readouterr() == ("", "")  # no progress bar

    # Another process that cannot load the model: it reads what is stored, and only a new document needs the package.
    lines = without_encoders(
        """
import hashlib
import polars as pl
from keysift.encoding.encode import encode_documents
from keysift.encoding.encoder import get_encoder
from keysift.errors import SettingError
encoder = get_encoder(sys.argv[1])
texts = pl.Series(sys.argv[2:])
print(hashlib.sha256(encode_documents(encoder, texts).tobytes()).hexdigest())
try:
    encode_documents(encoder, pl.Series(["something new"]))
except SettingError as error:
    print(error)
""",
        minilm,
        *TEXTS,
    )
    assert lines == [
        hashlib.sha256(vectors.tobytes()).hexdigest(),
        "A sentence encoder needs sentence-transformers, which is not installed: pip install 'keysift[encoder]'.",
    ]
    assert [path.name for path in cache.iterdir()] == [FILE_NAME]


def test_a_package_that_cannot_be_imported(minilm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from keysift.encoding.encoder import _load

    monkeypatch.setitem(sys.modules, "sentence_transformers", ModuleType("sentence_transformers"))
    with pytest.raises(SettingError, match=r"which cannot be imported \(cannot import name .*keysift\[encoder\]"):
        _load(str(minilm), "another")


def test_the_model_is_loaded_once(minilm: Path) -> None:
    from keysift.encoding.encoder import _load

    get_encoder(minilm).encode(["a"])  # type: ignore[union-attr]
    before = _load.cache_info()
    vectors = encode_documents(get_encoder(str(minilm)), TEXTS)
    assert _load.cache_info().misses == before.misses
    np.testing.assert_allclose(encode_documents(get_encoder(minilm), TEXTS[:1]), vectors[:1], atol=1e-6)


def test_a_folder_that_changed_is_another_model(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "modules.json").write_text("[]")
    (folder / "weights").write_text("1")
    before, same = get_encoder(folder), get_encoder(str(folder))
    assert isinstance(before, TextEncoder)
    assert isinstance(same, TextEncoder)
    assert before.identity == same.identity
    os.utime(folder / "weights", ns=(1, 1))
    after = get_encoder(folder)
    assert isinstance(after, TextEncoder)
    assert after.identity != before.identity
    assert after.name == before.name


def test_a_folder_by_any_path_is_the_same_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    encoders = [get_encoder(path) for path in (folder, "model", "./model", "~/model", folder / ".." / "model")]
    assert len({encoder.identity for encoder in encoders if isinstance(encoder, TextEncoder)}) == 1
    assert [encoder.name for encoder in encoders][1:4] == ["model", "./model", "~/model"]


def test_names_of_the_hub_are_not_looked_at_before_a_text_is_encoded() -> None:
    encoders = [get_encoder(name) for name in ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2")]
    assert [encoder.name for encoder in encoders] == ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"]
    assert encoders[0] != encoders[1]


def test_nothing_is_imported_before_a_text_is_encoded() -> None:
    code = """
import keysift.encoding.encoder
keysift.encoding.encoder.get_encoder("all-MiniLM-L6-v2")
print({"torch", "transformers", "sentence_transformers", "huggingface_hub"} & set(sys.modules))
"""
    assert without_encoders(code) == ["set()"]


@pytest.mark.parametrize("name", ["/no/such/folder", "./none", "a/b/c", "", "with space", "~/none/such", "x\0y"])
def test_no_such_folder(name: str) -> None:
    with pytest.raises(SettingError) as caught:
        get_encoder(name)
    assert str(caught.value) == (
        f"Cannot load the encoder {name!r}: there is no such folder; give the path of a folder with a"
        " sentence-transformers model."
    )


def test_a_path_is_no_name_of_the_hub() -> None:
    with pytest.raises(SettingError, match="there is no such folder"):
        get_encoder(Path("all-MiniLM-L6-v2"))


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"neither modules.json nor config.json; give the path of a folder with"):
        get_encoder(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    encoder = get_encoder(tmp_path)
    with pytest.raises(SettingError, match=r"it contains no readable model \(.*\); give the path of") as caught:
        encode_documents(encoder, TEXTS)
    assert "\n" not in str(caught.value)


class NotFound(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        pass


def asks_hub(port: int) -> bool:
    """What another process finds out about a hub at this port of this machine."""
    code = "from keysift.encoding import encoder; print(encoder._is_on_hub('some-one/name'))"
    environment = {**os.environ, "HF_ENDPOINT": f"http://127.0.0.1:{port}", "NO_PROXY": "*", "HF_HUB_OFFLINE": "0"}
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=30)
    return {"True": True, "False": False}[finished.stdout.strip()]


def test_whether_there_is_a_hub_is_known_soon() -> None:
    with HTTPServer(("127.0.0.1", 0), NotFound) as hub:
        thread = threading.Thread(target=hub.serve_forever)
        thread.start()
        try:
            assert asks_hub(hub.server_port)
        finally:
            hub.shutdown()
            thread.join()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert not asks_hub(port)  # nobody listens there any more


def test_a_model_that_neither_the_machine_nor_the_hub_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keysift.encoding.encoder._is_on_hub", lambda name: False)
    with pytest.raises(SettingError) as caught:
        encode_documents(get_encoder("no-one-of-this/name"), TEXTS)
    assert str(caught.value) == (
        "Cannot load the encoder 'no-one-of-this/name': there is no such folder, and no such model on this machine or"
        " on a hub that can be reached; give the path of a folder with a sentence-transformers model."
    )


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lengths, "lengths"),
        (functools.partial(lengths, factor=1), "functools.partial"),
        (WithEncode(), "WithEncode"),
        (WithEncode().encode, "WithEncode.encode"),
    ],
)
def test_functions(function: Any, name: str) -> None:
    encoder = get_encoder(function)
    assert isinstance(encoder, TextEncoder)
    assert encoder.name.endswith(name)
    json.dumps(encoder.name)
    assert encoder.identity is None
    assert encoder.encode(["a", "bc"]) == [[1], [2]]


def test_a_cache_name_is_an_identity() -> None:
    function, other = functools.partial(lengths), functools.partial(lengths)
    function.cache_name = other.cache_name = "lengths"  # type: ignore[attr-defined]
    one, same = get_encoder(function), get_encoder(other)
    assert isinstance(one, TextEncoder)
    assert isinstance(same, TextEncoder)
    assert one.identity == same.identity != None  # noqa: E711
    for wrong in (5, ""):
        function.cache_name = wrong  # type: ignore[attr-defined]
        with pytest.raises(SettingError, match="cache_name of the encoder must be a non-empty string"):
            get_encoder(function)


@pytest.mark.parametrize("values", [[[1, 2], [3, 4]], np.array([[1, 2], [3, 4]]), pl.Series([[1, 2], [3, 4]])])
def test_vectors(values: Any) -> None:
    encoder = get_encoder(values)
    assert isinstance(encoder, Precomputed)
    assert encoder.name == "precomputed"
    assert encoder.vectors.tolist() == [[1, 2], [3, 4]]


def test_an_encoder_stays_as_it_is() -> None:
    for given in (lengths, [[1.0]]):
        encoder = get_encoder(given)
        assert get_encoder(encoder) is encoder


@pytest.mark.parametrize("wrong", [None, 5, WithEncode, {"a": 1}, object()])
def test_anything_else(wrong: Any) -> None:
    with pytest.raises(SettingError, match=r"^encoder must be 'minilm', the name or folder of a sentence-"):
        get_encoder(wrong)
