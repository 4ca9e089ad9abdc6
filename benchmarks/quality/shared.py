"""Work that several systems and tasks have in common: done once, and counted in the time of each that uses it."""

import functools
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["shared", "timed"]

P = ParamSpec("P")
R = TypeVar("R")

KEPT = 4
"""Results that are kept of each function: those of the trial at hand."""

_saved = 0.0
"""Seconds that were not spent because somebody else had done the work."""


def shared(function: Callable[P, R]) -> Callable[P, R]:
    """Keep the last results of a function of hashable arguments."""

    @functools.lru_cache(maxsize=KEPT)
    def kept(*args: P.args, **kwargs: P.kwargs) -> tuple[R, float]:
        return timed(lambda: function(*args, **kwargs))

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        global _saved
        before = kept.cache_info().hits
        result, seconds = kept(*args, **kwargs)  # type: ignore[arg-type]  # that they are hashable cannot be said
        if kept.cache_info().hits > before:
            _saved += seconds
        return result

    return wrapper


def timed(work: Callable[[], R]) -> tuple[R, float]:
    """What some work gives and the seconds it takes, those that sharing saved included."""
    saved, start = _saved, time.perf_counter()
    result = work()
    return result, time.perf_counter() - start + _saved - saved
