"""The best of several runs: the one that other programs disturbed least."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

__all__ = ["best_time", "one_core"]


def best_time(work: Callable[[], object], runs: int) -> float:
    """Seconds of the fastest of `runs` runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process to a single core and a single thread of linear algebra."""
    pin = hasattr(os, "sched_setaffinity")
    before = os.sched_getaffinity(0) if pin else set()
    if pin:
        os.sched_setaffinity(0, {min(before)})
    try:
        with threadpool_limits(1):
            yield
    finally:
        if pin:
            os.sched_setaffinity(0, before)
