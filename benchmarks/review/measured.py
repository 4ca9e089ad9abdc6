"""One task and seed: a simulated review, with no label and with the first two."""

import time
from typing import Any

from benchmarks.review.given import first_two
from benchmarks.suite.tasks import SuiteTask
from keysift.pipeline import prepare
from keysift.review.simulation import Simulation, simulate

__all__ = ["RARE", "measure"]

RARE = 0.15
"""A task is a review where a smaller share than this is relevant."""


def measure(task: SuiteTask, seed: int) -> dict[str, Any]:
    """The line of a task and a seed."""
    prepared, keywords = prepare(task.texts), list(task.keywords)
    start = time.perf_counter()
    simulation = simulate(prepared, task.relevant, keywords, random_state=seed)
    seconds = time.perf_counter() - start
    given = first_two(task.relevant, seed)
    told = simulate(prepared, task.relevant, keywords, random_state=seed, given=given)
    return {
        "task": task.name,
        "corpus": task.corpus,
        "kind": task.kind,
        "seed": seed,
        "documents": len(task.relevant),
        "relevant": int(task.relevant.sum()),
        **_summary(simulation),
        "fits": simulation.fits,
        "seconds": round(seconds, 1),
        "given": {"documents": given, **_summary(told)},
    }


def _summary(simulation: Simulation) -> dict[str, float]:
    return {
        "loss": round(simulation.loss, 4),
        "work_saved": round(simulation.work_saved, 4),
        "keyword_loss": round(simulation.keywords.loss, 4),
        "keyword_work_saved": round(simulation.keywords.work_saved(), 4),
    }
