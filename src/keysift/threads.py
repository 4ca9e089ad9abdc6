"""The same numbers to the last bit, whatever the number of threads.

A matrix product that is split over threads adds up in another order and rounds otherwise, and a fit makes a difference
in the fifth decimal of it. With one thread there is one order. It costs nothing: a product with a vector waits for the
memory, and threads that wait for each other take longer.
"""

from collections.abc import Callable
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
        with _libraries().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return alone


@cache
def _libraries() -> Any:
    """The libraries that multiply matrices; to look for them takes some milliseconds, so it is done once."""
    import scipy.linalg  # noqa: F401, numpy and scipy each have one, which has to be there to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
