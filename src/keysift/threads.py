"""The same numbers to the last bit, whatever the number of threads.

A matrix product that is split over threads adds up in another order and rounds otherwise, and a fit makes a difference
in the fifth decimal of it. With one thread there is one order. It costs nothing: a product with a vector waits for the
memory, and threads that wait for each other take longer.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")


def on_all_cores(work: Callable[[T], R], parts: Sequence[T]) -> Iterator[R]:
    """What the work gives for each part, one after the other; a thread for each core does some of the parts.

    It helps where the work is done by libraries that let other threads run meanwhile, as numpy and scipy do. What a
    part gives must not depend on the others, and so no number depends on how many threads there are.

    >>> list(on_all_cores(len, ["a", "bcd"]))
    [1, 3]
    """
    threads = min(cores(), len(parts))
    if threads < 2:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(threads) as pool:
        ahead: deque[Future[R]] = deque()
        for part in parts:
            ahead.append(pool.submit(work, part))
            if len(ahead) > threads:  # no more than that is kept in memory
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def cores() -> int:
    """How many cores this process may use; OMP_NUM_THREADS, which other libraries heed as well, can say fewer."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    said = os.environ.get("OMP_NUM_THREADS", "")
    return min(there, int(said)) if said.isdecimal() and int(said) else there


def in_one_thread(function: Callable[P, T]) -> Callable[P, T]:
    """The same function, with every product of matrices of numpy and scipy in one thread.

    >>> in_one_thread(sum)([1, 2])
    3
    """

    @wraps(function)
    def alone(*args: P.args, **kwargs: P.kwargs) -> T:
        with _one_thread():
            return function(*args, **kwargs)

    return alone


_lock = threading.Lock()
_limits: list[Any] = []
"""What was set before, while some function runs, and how many do: the limit is one of the whole process."""
_running = 0


@contextmanager
def _one_thread() -> Iterator[None]:
    """The first function that needs it sets the limit, and the last one lifts it."""
    global _running
    with _lock:
        if not _running:
            _limits.append(_libraries().limit(limits=1, user_api="blas"))
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if not _running:
                _limits.pop().restore_original_limits()


@cache
def _libraries() -> Any:
    """The libraries that multiply matrices; to look for them takes some milliseconds, so it is done once."""
    import scipy.linalg  # noqa: F401, numpy and scipy each have one, which has to be there to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
