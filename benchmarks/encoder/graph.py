"""MiniLM as an ONNX graph over whole numbers: from the word pieces of one document to its vector of length 1.

Built node by node from the operators that onnxruntime runs fastest on a processor. There is one document in each run
and hence no padding and no mask, so that the scale of its activations, and with it its vector, depends on nothing else.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from benchmarks.encoder.quantise import quantised_columns, quantised_rows

__all__ = ["HEADS", "LAYERS", "LENGTH", "WIDTH", "model_bytes"]

LAYERS = 6
HEADS = 12
WIDTH = 384
LENGTH = 256
"""Word pieces of a document that are read, as in the original's settings."""
EPSILON = 1e-12
OPSET = 19
FUSED = "com.microsoft"
"""The operators that onnxruntime adds to those of ONNX."""

# A few channels are far louder than the rest, whatever the text: channel 99 before a feed-forward layer reaches 30
# where the median channel reaches 2. As all channels share one scale, those few would leave the others with three or
# four bits. They are divided by a power of two, and their weights multiplied by it. On 200 tweets
# this moves the median cosine from 0.991 to 0.996, and the smallest from 0.970 to 0.989. `python -m
# benchmarks.encoder.loud` lists the loud channels.
LOUD_ATTENTION = {63: 2, 99: 2, 157: 2}
LOUD_INNER: tuple[dict[int, int], ...] = (
    {63: 2, 99: 8},
    {63: 2, 99: 8, 157: 2, 223: 2, 267: 2},
    {63: 2, 99: 8, 223: 4},
    {63: 2, 99: 8, 223: 4},
    {63: 2, 99: 4, 127: 4, 223: 4},
    {99: 4, 127: 2, 223: 4, 319: 2},
)
LOUD_OUTER: tuple[dict[int, int], ...] = ({856: 8}, {607: 4}, {218: 4, 1004: 4}, {358: 4}, {}, {})

Weights = Mapping[str, NDArray[np.float32]]


def model_bytes(weights: Weights, whole: bool = True) -> bytes:
    """The ONNX file: the same bytes for the same weights; with `whole` false in float32, to compare with."""
    graph = _Graph(weights, whole)
    hidden = graph.embed()
    for layer in range(LAYERS):
        hidden = graph.layer(layer, hidden)
    mean = graph.add("ReduceMean", [hidden, graph.constant("document", np.array([1]))], "mean", keepdims=0)
    graph.add("LpNormalization", [mean], "vector", axis=1, p=2)
    return graph.serialised()


class _Graph:
    """Nodes and constants, in the order in which they were added."""

    def __init__(self, weights: Weights, whole: bool) -> None:
        self.weights = weights
        self.whole = whole
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, values: NDArray[Any]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, kind: str, inputs: list[str], *outputs: str, domain: str = "", **settings: Any) -> str:
        """Add a node and return the name of its first output."""
        name = f"{outputs[0]}.{kind}"
        self.nodes.append(helper.make_node(kind, inputs, outputs, name=name, domain=domain, **settings))
        return outputs[0]

    def embed(self) -> str:
        """Word pieces and their places as vectors."""
        words = self.weights["embeddings.word_embeddings.weight"]
        # The kind of every word piece is the first of two: its vector is added to that of each place.
        kind = self.weights["embeddings.token_type_embeddings.weight"][0]
        places = self.weights["embeddings.position_embeddings.weight"][:LENGTH] + kind
        length = self.add("Shape", ["input_ids"], "length", start=1, end=2)
        bounds = [self.constant("first", np.array([0])), length, self.constant("rows", np.array([0]))]
        numbers = self.add("Slice", [self.constant("numbers", np.arange(LENGTH)), *bounds], "place")
        pieces = self.look_up("words", words, "input_ids")
        where = self.look_up("places", places, numbers)
        return self.normalise("embeddings.LayerNorm", pieces, where, "layer.0.input")

    def look_up(self, name: str, table: NDArray[np.float32], rows: str) -> str:
        if not self.whole:
            return self.add("Gather", [self.constant(name, table), rows], f"{name}.vectors")
        whole, scales = quantised_rows(table)
        numbers = self.add("Gather", [self.constant(name, whole), rows], f"{name}.whole")
        scale = self.add("Gather", [self.constant(f"{name}.scales", scales), rows], f"{name}.scale")
        floats = self.add("Cast", [numbers], f"{name}.float", to=TensorProto.FLOAT)
        return self.add("Mul", [floats, scale], f"{name}.vectors")

    def layer(self, number: int, hidden: str) -> str:
        """Attention, then the feed-forward layers, each added to what went in and normalised."""
        source, name = f"encoder.layer.{number}", f"layer.{number}"
        parts = [f"{source}.attention.self.{part}" for part in ("query", "key", "value")]
        joined = self.multiply(f"{name}.qkv", parts, hidden, LOUD_ATTENTION)
        views = [f"{name}.{part}" for part in ("query", "key", "value")]
        self.add("Split", [joined], *views, axis=2, num_outputs=len(views))
        seen = self.add("MultiHeadAttention", views, f"{name}.seen", domain=FUSED, num_heads=HEADS)
        mixed = self.multiply(f"{name}.mixed", [f"{source}.attention.output.dense"], seen, {})
        hidden = self.normalise(f"{source}.attention.output.LayerNorm", mixed, hidden, f"{name}.attended")
        wide = self.multiply(f"{name}.wide", [f"{source}.intermediate.dense"], hidden, LOUD_INNER[number])
        active = self.add("Gelu", [wide], f"{name}.active", domain=FUSED)
        narrow = self.multiply(f"{name}.narrow", [f"{source}.output.dense"], active, LOUD_OUTER[number])
        return self.normalise(f"{source}.output.LayerNorm", narrow, hidden, f"layer.{number + 1}.input")

    def multiply(self, name: str, parts: list[str], hidden: str, loud: dict[int, int]) -> str:
        """The linear layers `parts` side by side."""
        matrix = np.concatenate([self.weights[f"{part}.weight"].T for part in parts], axis=1)
        bias = self.constant(f"{name}.bias", np.concatenate([self.weights[f"{part}.bias"] for part in parts]))
        if not self.whole:
            product = self.add("MatMul", [hidden, self.constant(f"{name}.weights", matrix)], f"{name}.product")
            return self.add("Add", [product, bias], name)
        if loud:
            factors = np.ones(len(matrix), dtype=np.float32)
            factors[list(loud)] = list(loud.values())
            hidden = self.add("Mul", [hidden, self.constant(f"{name}.quiet", 1 / factors)], f"{name}.quieter")
            matrix = matrix * factors[:, None]
        whole, scales = quantised_columns(matrix)
        zeros = self.constant(f"{name}.zeros", np.zeros(len(scales), dtype=np.int8))
        inputs = [hidden, self.constant(f"{name}.weights", whole), self.constant(f"{name}.scales", scales), zeros, bias]
        return self.add("DynamicQuantizeMatMul", inputs, name, domain=FUSED)

    def normalise(self, source: str, left: str, right: str, name: str) -> str:
        """The sum, normalised. In two steps: the fused operator takes four times as long as these two."""
        total = self.add("Add", [left, right], f"{name}.sum")
        gain = self.constant(f"{name}.gain", self.weights[f"{source}.weight"])
        shift = self.constant(f"{name}.shift", self.weights[f"{source}.bias"])
        return self.add("LayerNormalization", [total, gain, shift], name, axis=-1, epsilon=EPSILON)

    def serialised(self) -> bytes:
        ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "length"])
        vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, [1, WIDTH])
        graph = helper.make_graph(self.nodes, "all-MiniLM-L6-v2", [ids], [vector], self.constants)
        versions = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
        model = helper.make_model(graph, opset_imports=versions, ir_version=9, producer_name="keysift")
        return bytes(model.SerializeToString(deterministic=True))
