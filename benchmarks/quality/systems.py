"""All systems by name, and how many trials each has."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality import peers, sentences
from benchmarks.quality.ours import OURS, Measured
from benchmarks.quality.tasks import Problem, Task

__all__ = ["ORACLES", "SYSTEMS", "System", "on_texts", "trials"]

Peer = Callable[[Sequence[str], Sequence[str], Sequence[str]], NDArray[np.float64]]
"""From training documents, test documents and keywords to scores of the test documents."""
System = Callable[[Problem], NDArray[np.float64] | Measured]
"""From a problem to scores of its test documents, higher for more relevant, and what else there is to note."""


def on_texts(peer: Peer) -> System:
    """A system that sees the texts and the keywords, and nothing else."""
    return lambda problem: peer(problem.train_texts, problem.test_texts, problem.task.keywords)


SYSTEMS: dict[str, System] = {
    "counting": on_texts(peers.counting),
    "trivial": on_texts(peers.trivial),
    "bm25": on_texts(peers.bm25),
    "pulearn": on_texts(peers.pulearn),
    "corex": on_texts(peers.corex),
    "snorkel": on_texts(peers.snorkel),
    "zero_shot": sentences.zero_shot,
    "zero_shot_text": sentences.zero_shot_text,
    "oracle_minilm": sentences.oracle_minilm,
    **OURS,
}

ORACLES = ("oracle_minilm",)
"""Those that see the true labels."""

TRIALS = {"five": 20, "other keywords": 3, "groups": 3}
OWN_TRIALS = {
    "corex": {"five": 3, "other keywords": 1, "groups": 1},
    **{key: {"five": 5, "other keywords": 1, "groups": 1} for key in OURS},
}
"""Of systems whose fits take long, or whose question needs no more; and of our own figures."""


def trials(system: str, task: Task) -> int:
    """How many trials a system has of a task.

    >>> from benchmarks.quality.tasks import TASKS
    >>> trials("bm25", TASKS["ayi"]), trials("corex", TASKS["sci.med"])
    (20, 1)
    """
    return OWN_TRIALS.get(system, TRIALS)[task.family]
