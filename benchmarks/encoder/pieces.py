"""What reading more of a long document is worth: python -m benchmarks.encoder.pieces; half an hour the first time.

keysift ranks every task of the suite with long documents, with the first 128 and with the first 256 word pieces of each
document encoded. All documents are encoded, whatever time that takes.
"""

import sys

from sklearn.metrics import average_precision_score, roc_auc_score

from benchmarks.encoder.over_tasks import show
from benchmarks.suite.tasks import SuiteTask, length_class
from keysift import LearnConfig, Session
from keysift.encoding import minilm

__all__ = ["main", "measure"]

PIECES = (128, 256)
ALL = 1e9
"""Seconds for encoding."""


def measure(task: SuiteTask, pieces: int) -> tuple[float, float]:
    """AUC and average precision."""
    minilm.PIECES = pieces
    minilm._load.cache_clear()
    session = Session(task.texts, learning=LearnConfig(encode_budget=ALL))
    session.keywords(list(task.keywords))
    session.learn()
    scores = session.result.learned.scores
    return 100 * roc_auc_score(task.relevant, scores), 100 * average_precision_score(task.relevant, scores)


def main() -> int:
    """Print a line for each task, and the means; 2 where there is no suite."""
    return show(
        [f"{pieces} pieces" for pieces in PIECES],
        lambda task: length_class(task.length) != "short",
        lambda task: [measure(task, pieces) for pieces in PIECES],
    )


if __name__ == "__main__":
    sys.exit(main())
