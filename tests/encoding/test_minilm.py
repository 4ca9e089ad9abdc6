import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from keysift.encoding import minilm
from keysift.encoding.encode import encode_documents
from keysift.encoding.encoder import TextEncoder, get_encoder
from keysift.errors import EncoderUnavailableError, ModelFileError

FLOOR = 0.985
"""The smallest cosine with the original; measured on these sentences: 0.9878, of "ok"; the median is 0.9965."""
SENTENCES = [
    "The goalie stopped the puck with his glove in the last minute of the game.",
    "I would not buy this phone again: the battery died within a week and nobody answered my letters.",
    "We present a randomised trial of aspirin in 312 patients with a first stroke.",
    "@airline my flight is delayed AGAIN!!! third time this month :( #fail",
    "Parliament passed the budget on Thursday, after two days of debate on the tax on petrol.",
    "How do I change the PIN of my card?",
    "Preheat the oven to 180 degrees, then stir the butter, the flour and the sugar until smooth.",
    "Der Bundestag hat am Donnerstag den Haushalt beschlossen.",
    "def main(): return 0  # nothing happens here",
    "the the the the the",
    "Congratulations! You have won a free prize, click http://example.com/win?id=123 now",
    "ok",
]
WITHOUT_ONNXRUNTIME = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "onnxruntime":
            raise {error}

sys.meta_path.insert(0, Without())
from keysift.encoding import minilm
from keysift.encoding.encoder import get_encoder
from keysift.errors import EncoderUnavailableError
print(minilm.available())
try:
    get_encoder("minilm").encode(["a text"])
except EncoderUnavailableError as error:
    print(error)
"""


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True)


@pytest.fixture
def altered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped files, to be damaged."""
    folder = tmp_path / "minilm"
    folder.mkdir()
    for name in minilm.CHECKSUMS:
        (folder / name).write_bytes((minilm.FOLDER / name).read_bytes())
    monkeypatch.setattr(minilm, "FOLDER", folder)
    return folder


def test_near_the_original(minilm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    pytest.importorskip("sentence_transformers")
    original = np.asarray(get_encoder(minilm).encode(SENTENCES))  # type: ignore[union-attr]
    ours = np.asarray(get_encoder("minilm").encode(SENTENCES))  # type: ignore[union-attr]
    np.testing.assert_allclose(np.linalg.norm(ours, axis=1), 1, atol=1e-5)
    cosines = (ours * original).sum(axis=1)
    assert cosines.min() >= FLOOR
    assert np.median(cosines) >= 0.995


def test_the_same_to_the_bit_in_any_company_order_and_number_of_threads() -> None:
    texts = [*SENTENCES, " ".join(SENTENCES * 3)]
    wanted = minilm.encode(texts, threads=1)
    rng = np.random.default_rng(0)
    for threads in (1, 2, 5):
        order = rng.permutation(len(texts))
        found = minilm.encode([texts[number] for number in order], threads=threads)
        assert found.tobytes() == wanted[order].tobytes()
    alone = np.vstack([minilm.encode([text]) for text in texts])
    assert alone.tobytes() == wanted.tobytes()
    assert encode_documents(get_encoder("minilm"), pl.Series(texts)).tobytes() == wanted.tobytes()


def test_what_is_stored_is_not_encoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, texts = get_encoder("minilm"), pl.Series(SENTENCES[:2])
    assert isinstance(encoder, TextEncoder)
    assert json.loads(encoder.identity or "")[1] == minilm.CHECKSUMS
    first = encode_documents(encoder, texts)
    monkeypatch.setattr(minilm, "_load", lambda folder: pytest.fail("the model was loaded"))
    assert encode_documents(get_encoder("minilm"), texts).tobytes() == first.tobytes()


def test_its_name_goes_before_a_folder_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "minilm").mkdir()
    (tmp_path / "minilm" / "config.json").touch()
    monkeypatch.chdir(tmp_path)
    assert getattr(get_encoder("minilm"), "identity", None) == minilm.identity()
    assert getattr(get_encoder("./minilm"), "identity", None) != minilm.identity()


def test_no_texts_an_empty_one_and_odd_ones() -> None:
    assert minilm.encode([]).shape == (0, 384)
    vectors = minilm.encode(["", " \n\t", "\x00\x07", "日本語 🎉", "x" * 300])
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0].tobytes() == vectors[1].tobytes()


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    sentence = "The goalie stopped the puck. "
    long = sentence * (1_000_000 // len(sentence))
    cut, whole = minilm.encode([long[: minilm.CHARACTERS], long])
    assert whole.tobytes() == cut.tobytes()
    start = time.process_time()
    minilm.encode([long[: minilm.CHARACTERS]], threads=1)
    middle = time.process_time()
    minilm.encode([long], threads=1)
    assert time.process_time() - middle < 5 * (middle - start) + 0.1


@pytest.mark.parametrize("name", minilm.CHECKSUMS)
def test_an_altered_file_is_refused_by_name(altered: Path, name: str) -> None:
    path = altered / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelFileError) as caught:
        minilm.encode(["a text"])
    message = f"{path} is not the file that came with keysift: it was altered; reinstall keysift."
    assert str(caught.value) == message


def test_a_missing_file_is_named(altered: Path) -> None:
    (altered / "model.onnx").unlink()
    with pytest.raises(
        ModelFileError, match=r"model\.onnx, which came with keysift: No such file.*; reinstall keysift\.$"
    ):
        minilm.available()


def test_a_model_that_onnxruntime_cannot_run(altered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import hashlib

    (altered / "model.onnx").write_bytes(b"no model")
    checksums = {**minilm.CHECKSUMS, "model.onnx": hashlib.sha256(b"no model").hexdigest()}
    monkeypatch.setattr(minilm, "CHECKSUMS", checksums)
    assert (minilm.available() or "").startswith("onnxruntime cannot run the model (")
    with pytest.raises(
        EncoderUnavailableError, match=r"^The encoder minilm cannot run: onnxruntime cannot run the model"
    ):
        minilm.encode(["a text"])


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("ModuleNotFoundError(f'No module named {name!r}', name=name)", "onnxruntime is not installed"),
        ("ImportError('libstdc++ is too old.')", "onnxruntime cannot be imported (libstdc++ is too old)"),
    ],
)
def test_without_onnxruntime_it_says_why(error: str, reason: str) -> None:
    lines = run(WITHOUT_ONNXRUNTIME.format(error=error)).stdout.splitlines()
    assert lines == [reason, f"The encoder minilm cannot run: {reason}; pip install --upgrade onnxruntime."]


def test_nothing_is_imported_before_a_text_is_encoded_and_nothing_is_printed() -> None:
    done = run(
        """
import sys
import keysift, keysift.cli
from keysift.encoding.encoder import get_encoder
encoder = get_encoder("minilm")
print("onnxruntime" in sys.modules)
print(encoder.encode(["a goal"]).shape, "onnxruntime" in sys.modules, "torch" in sys.modules)
"""
    )
    assert done.stdout.splitlines() == ["False", "(1, 384) True False"]
    assert done.stderr == ""


def test_an_interrupt_ends_it_at_once() -> None:
    done = run(
        """
import _thread, sys, threading, time
from keysift.encoding import minilm
minilm.encode(["loaded"])
texts = ["The goalie stopped the puck and the fans cheered. " * 40] * 2000
threading.Timer(1.0, _thread.interrupt_main).start()
start = time.perf_counter()
try:
    minilm.encode(texts)
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - start < 20)
"""
    )
    assert done.stdout.split() == ["interrupted", "True"]
