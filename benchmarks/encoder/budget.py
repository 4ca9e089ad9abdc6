"""What a budget for encoding costs: python -m benchmarks.encoder.budget; some minutes once the vectors are stored.

keysift ranks every English task of the suite with more than 5,000 documents. All documents have a vector, or only a
share of them: every second one holds a keyword, the others are a random sample. The rest is scored by words that the
encoder taught.
"""

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

from benchmarks.encoder.over_tasks import show
from benchmarks.suite.tasks import SuiteTask
from keysift import LearnConfig
from keysift.encoding.budget import alternating
from keysift.encoding.encode import encode_documents
from keysift.encoding.encoder import get_encoder
from keysift.features.view import Documents
from keysift.pipeline import learn, match, prepare

__all__ = ["main", "measure"]

SHARES = (0.0, 0.1, 0.3, 1.0)
"""Of the documents that are encoded."""
LARGE = 5000
"""A task with more documents is measured."""


def measure(task: SuiteTask) -> Iterator[tuple[float, float]]:
    """AUC and average precision for every share."""
    for share in SHARES:
        prepared = prepare(task.texts, learning=LearnConfig(encode_budget=0.0))
        some, matches = prepared.filled, match(prepared, list(task.keywords))
        vectors = encode_documents(get_encoder("minilm"), some.texts)
        order = alternating(matches.filled.holders, len(some), np.random.default_rng(0))
        some.memo["documents"] = Documents(some.counts, _first(vectors, order, round(share * len(some))))
        scores = learn(prepared, matches).scores
        yield 100 * roc_auc_score(task.relevant, scores), 100 * average_precision_score(task.relevant, scores)


def _first(vectors: NDArray[np.float32], order: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    """The vectors of the first documents in an order that may name one twice; NaN for the others.

    >>> _first(np.ones((3, 2), dtype=np.float32), np.array([2, 2, 0, 1]), 2)[:, 0].tolist()
    [1.0, nan, 1.0]
    """
    taken = np.array(list(dict.fromkeys(order.tolist()))[:count], dtype=np.int64)
    known = np.full_like(vectors, np.nan)
    known[taken] = vectors[taken]
    return known


def main() -> int:
    """Print a line for each task, and the means; 2 where there is no suite."""
    return show([f"{share:.0%} encoded" for share in SHARES], lambda task: len(task.texts) > LARGE, measure)


if __name__ == "__main__":
    sys.exit(main())
