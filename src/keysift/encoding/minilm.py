"""all-MiniLM-L6-v2 in whole numbers, shipped with keysift: from texts to vectors of 384 numbers, and no download.

The only module that imports onnxruntime, and only once a text has to be encoded. `benchmarks/encoder` makes the files.
"""

import hashlib
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.errors import EncoderUnavailableError, ModelFileError

NAME = "minilm"
FOLDER = Path(__file__).with_suffix("")
CHECKSUMS = {
    "model.onnx": "f41829d3f600f8e0f846eff4322d2205199a46daacaa22d9151a33ec3abbb92a",
    "tokenizer.json": "3ad857958ba886d154a5a852119fb31a0dd549d03d8a3fc20e33f2336272cc19",
}
WIDTH = 384
PIECES = 128
"""Word pieces of a document that are read: twice as many take twice as long and rank no better."""
CHARACTERS = 4000
"""Characters of a document that are split into word pieces; of 2,500 long English texts, none needed 1,550 for 256."""
ERRORS_ONLY = 3
"""The least severe message that onnxruntime may print."""


def identity() -> str:
    """What the vectors depend on: the files and how much of a document is read.

    They also depend a little on the version of onnxruntime (a cosine of 0.999 between 1.19 and 1.31), which is not
    worth encoding everything again.

    >>> CHECKSUMS["model.onnx"] in identity()
    True
    """
    return json.dumps([NAME, CHECKSUMS, PIECES, CHARACTERS])


def available() -> str | None:
    """Why the encoder cannot run here, as a clause; None if it can. The model stays loaded for the first text.

    >>> available() is None
    True
    """
    try:
        _load(FOLDER)
    except EncoderUnavailableError as error:
        return error.reason
    return None


def encode(texts: list[str], threads: int | None = None) -> NDArray[np.float32]:
    """One vector of length 1 for each text; the same to the bit in any company, order and number of threads.

    Each document is one run on one core: no padding, and no scale that documents share.

    >>> goal, puck, law = encode(["She scored a goal.", "The puck is in the net.", "The court heard the appeal."])
    >>> bool(goal @ puck > goal @ law + 0.2)
    True
    """
    vector_of = _load(FOLDER)
    vectors = np.empty((len(texts), WIDTH), dtype=np.float32)
    pool = ThreadPoolExecutor(max_workers=threads or os.cpu_count())
    try:
        for row, vector in enumerate(pool.map(vector_of, texts)):
            vectors[row] = vector
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C, only the documents in hand are finished
    return vectors


@lru_cache(maxsize=1)
def _load(folder: Path) -> Callable[[str], NDArray[np.float32]]:
    """The function from a text to its vector, made once per process."""
    model, tokens = (_checked(folder / name, wanted) for name, wanted in CHECKSUMS.items())
    session = _session(model)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(tokens)
    tokenizer.enable_truncation(PIECES)

    def vector_of(text: str) -> NDArray[np.float32]:
        pieces = tokenizer.encode(text[:CHARACTERS]).ids
        (vectors,) = session.run(None, {"input_ids": np.array([pieces], dtype=np.int64)})
        return np.asarray(vectors[0], dtype=np.float32)

    return vector_of


def _checked(path: Path, wanted: str) -> bytes:
    """The bytes of a file that came with keysift; a file that is missing or altered is refused."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelFileError(
            f"Cannot read {path}, which came with keysift: {error.strerror or error}; reinstall keysift."
        ) from error
    if hashlib.sha256(data).hexdigest() != wanted:
        raise ModelFileError(f"{path} is not the file that came with keysift: it was altered; reinstall keysift.")
    return data


def _session(model: bytes) -> Any:
    try:
        import onnxruntime
    except Exception as error:  # not installed, a library of the system is missing, built for another NumPy
        missing = isinstance(error, ModuleNotFoundError) and error.name == "onnxruntime"
        problem = "is not installed" if missing else f"cannot be imported ({_first_line(error)})"
        raise EncoderUnavailableError(f"onnxruntime {problem}") from error
    try:
        onnxruntime.set_default_logger_severity(ERRORS_ONLY)
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = ERRORS_ONLY
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # More would fuse two operators into one that takes four times as long.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # too old for the model, or no code for this processor
        raise EncoderUnavailableError(f"onnxruntime cannot run the model ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
