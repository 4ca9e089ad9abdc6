"""What an engine is: it runs a function on many items, and gives back what each gave."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from keysift.errors import KeysiftError, SettingError

T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")
ENGINES = ("local", "ray")
"""The engines by name."""


class EngineError(KeysiftError):
    """The machines that do the work were lost; what was finished is kept."""


class Engine(Protocol):
    """Runs a task on every item, in any order and anywhere; a task may be run again where a worker dies."""

    def map(self, task: Callable[[T, A], R], items: Sequence[T], argument: A) -> Iterator[tuple[int, R]]:
        """The place of each item and what the task gave for it, as they come."""
        ...


def get_engine(name: str, *, address: str | None = None, workers: int | None = None) -> Engine:
    """The engine of this name; a Ray cluster is found at its `address`.

    >>> get_engine("spark")
    Traceback (most recent call last):
    keysift.errors.SettingError: engine must be one of local, ray; got 'spark'.
    """
    if name not in ENGINES:
        raise SettingError(f"engine must be one of {', '.join(ENGINES)}; got {name!r}.")
    if name == "ray":
        from keysift.engines.ray import RayEngine

        return RayEngine.connect(address)
    if address is not None:
        raise SettingError("address= is that of a Ray cluster; add engine='ray', or leave it out.")
    from keysift.engines.local import LocalEngine

    return LocalEngine(workers)


class InThisProcess:
    """One item after the other, here: what every engine must agree with.

    >>> list(InThisProcess().map(lambda item, argument: item + argument, [1, 2], 10))
    [(0, 11), (1, 12)]
    """

    def map(self, task: Callable[[Any, Any], Any], items: Sequence[Any], argument: Any) -> Iterator[tuple[int, Any]]:
        """In the order of the items."""
        for place, item in enumerate(items):
            yield place, task(item, argument)
