"""The same numbers to the last bit, whatever the number of threads.

A matrix product that is split over threads adds up in another order and rounds otherwise, and a fit makes a difference
in the fifth decimal of it. With one thread there is one order. It costs nothing: a product with a vector waits for the
memory, and threads that wait for each other take longer.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


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
