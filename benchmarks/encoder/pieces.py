"""What reading more of a long document is worth: python -m benchmarks.encoder.pieces; half an hour the first time.

keysift ranks every task of the suite with long documents, with the first 128 and with the first 256 word pieces of each
document encoded. All documents are encoded, whatever time that takes.
"""

import sys
import time
import warnings

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

from benchmarks.suite.tasks import SKIPPED_SUITE, SuiteTask, length_class, list_tasks, read_task
from keysift import LearnConfig, Session
from keysift.encoding import minilm
from keysift.errors import KeysiftWarning

__all__ = ["main", "measure"]

PIECES = (128, 256)
ALL = 1e9
"""Seconds for encoding."""


def measure(task: SuiteTask, pieces: int) -> tuple[float, float, float]:
    """AUC, average precision and the seconds of a fit."""
    minilm.PIECES = pieces
    minilm._load.cache_clear()
    start = time.perf_counter()
    session = Session(task.texts, learning=LearnConfig(encode_budget=ALL))
    session.keywords(list(task.keywords))
    session.learn()
    scores, seconds = session.result.learned.scores, time.perf_counter() - start
    return 100 * roc_auc_score(task.relevant, scores), 100 * average_precision_score(task.relevant, scores), seconds


def main() -> int:
    """Print a line for each task, and the means; 2 where there is no suite."""
    warnings.simplefilter("ignore", KeysiftWarning)
    tasks = [one for one in list_tasks()[0].values() if one.family == "suite" and one.language == "en"]
    if not tasks:
        print(SKIPPED_SUITE, file=sys.stderr)
        return 2
    print(f"{'AUC / average precision':<24}" + "".join(f"{pieces:>8} pieces" for pieces in PIECES))
    found = []
    for listed in tasks:
        task = read_task(listed)
        if length_class(task.length) == "short":
            continue
        found.append([measure(task, pieces)[:2] for pieces in PIECES])
        print(f"{task.name:<24}" + "".join(f"{auc:>8.1f} / {ap:4.1f}" for auc, ap in found[-1]), flush=True)
    print(f"{'mean':<24}" + "".join(f"{auc:>8.1f} / {ap:4.1f}" for auc, ap in np.mean(found, axis=0)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
