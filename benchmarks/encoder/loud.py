"""Which channels are far louder than the others: `python -m benchmarks.encoder.loud`, a minute.

The float32 model reads paragraphs of Python's own reference, which every machine has. `graph.LOUD_*` is made of what
this prints, but for channels at the very threshold: a channel above it is divided by the power of two that brings it to
at most `LEVEL`.
"""

import re
from pydoc_data.topics import topics
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper
from tokenizers import Tokenizer

from benchmarks.encoder.convert import converted, original_folder
from benchmarks.encoder.graph import LAYERS, LENGTH

__all__ = ["LEVEL", "THRESHOLDS", "factors", "main"]

LEVEL = 6.0
THRESHOLDS = {"input": 6.0, "attended": 7.0, "active": 10.0}
"""What goes into attention, into the first and into the second feed-forward layer."""
EVERY = 10
"""One paragraph in ten."""


def factors(largest: NDArray[np.float32], threshold: float) -> dict[int, int]:
    """The channels above the threshold, and the power of two that brings each to at most `LEVEL`.

    >>> factors(np.array([1.0, 28.5, 2.0, 7.5], dtype=np.float32), 7.0)
    {1: 8, 3: 2}
    """
    loud = np.flatnonzero(largest > threshold)
    return {int(channel): int(2 ** np.ceil(np.log2(largest[channel] / LEVEL))) for channel in loud}


def main() -> None:
    """Print the loud channels of every layer."""
    folder = original_folder()
    names = [f"layer.{layer}.{place}" for layer in range(LAYERS) for place in THRESHOLDS]
    session = _session(converted(folder, whole=False), names)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LENGTH)
    paragraphs = [text for topic in sorted(topics) for text in re.split(r"\n\s*\n", topics[topic]) if text.strip()]
    largest: dict[str, Any] = dict.fromkeys(names, np.float32(0))
    for text in paragraphs[::EVERY]:
        values = session.run(names, {"input_ids": np.array([tokenizer.encode(text).ids], dtype=np.int64)})
        for name, value in zip(names, values, strict=True):
            largest[name] = np.maximum(largest[name], np.abs(value[0]).max(axis=0))
    for place, threshold in THRESHOLDS.items():
        print(f"{place}: channels above {threshold:g}, and what they are divided by")
        for layer in range(LAYERS):
            found = largest[f"layer.{layer}.{place}"]
            print(f"  layer {layer}: {factors(found, threshold)}; the median channel reaches {np.median(found):.1f}")


def _session(model: bytes, names: list[str]) -> Any:
    """The model with these values as outputs, too."""
    graph = onnx.load_from_string(model)
    graph.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])


if __name__ == "__main__":
    main()
