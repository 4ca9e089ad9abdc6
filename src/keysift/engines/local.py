"""The local engine: some processes of this machine, each with its own memory and one thread."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import ModuleType
from typing import Any

from keysift.engines.engine import EngineError, InThisProcess, environment

THREADS = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Settings of libraries that would start as many threads as there are cores, in every process."""
TRIES = 3
"""So often an item is tried that a worker died of."""
AHEAD = 2
"""Items handed out for each worker: one to do, and one to go on with."""


class LocalEngine:
    """Processes of this machine, by default one for each core; with one, the work is done in this process."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else "12")

    def map(self, task: Callable[[Any, Any], Any], items: Sequence[Any], argument: Any) -> Iterator[tuple[int, Any]]:
        """As they are done; where a worker dies, its items are tried again in new ones."""
        workers = min(self.workers, len(items))
        if workers <= 1:
            yield from InThisProcess().map(task, items, argument)
            return
        left, tries = list(range(len(items))), 0
        while left:
            done: list[int] = []
            try:
                for place, result in _round(task, items, argument, left, workers if tries == 0 else 1):
                    done.append(place)
                    yield place, result
            except BrokenProcessPool:
                # With one worker it is the first that is left which nothing could be done with.
                tries = 1 if done else tries + 1
            left = [place for place in left if place not in set(done)]
            if left and tries >= TRIES:
                raise EngineError(
                    f"A worker died {TRIES} times of the same part of the documents ({items[left[0]]!s:.200}): the"
                    " memory may not be enough for it, or the file is damaged."
                )


def _round(
    task: Callable[[Any, Any], Any], items: Sequence[Any], argument: Any, places: Sequence[int], workers: int
) -> Iterator[tuple[int, Any]]:
    """Until all is done, or a worker dies."""
    waiting, running = iter(places), dict[Future[Any], int]()
    context = multiprocessing.get_context("spawn")  # a fork would copy the locks of threads that it does not copy
    with environment(dict.fromkeys(THREADS, "1")):
        pool = ProcessPoolExecutor(workers, context, initializer=_ignore_interrupts)
        try:
            for place in (place for _, place in zip(range(AHEAD * workers), waiting, strict=False)):
                running[_submit(pool, task, items[place], argument)] = place
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    place = running.pop(future)
                    result = future.result()
                    if (more := next(waiting, None)) is not None:
                        running[_submit(pool, task, items[more], argument)] = more
                    yield place, result
        except BaseException:
            for process in list((pool._processes or {}).values()):
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()


def _submit(pool: ProcessPoolExecutor, task: Callable[[Any, Any], Any], item: Any, argument: Any) -> Future[Any]:
    """Hand out an item; a worker that is started for it does not run the user's script again, as it else would."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        return pool.submit(task, item, argument)
    finally:
        sys.modules["__main__"] = main


def _ignore_interrupts() -> None:
    """Ctrl-C ends the process that the user sees, and that one ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
