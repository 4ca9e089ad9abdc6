"""What an engine is: it runs a function on many items, and gives back what each gave."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from keysift.errors import KeysiftError, SettingError

T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")
ENGINES = ("local", "ray")
"""The engines by name."""


class EngineError(KeysiftError):
    """The machines that do the work were lost."""


class Engine(Protocol):
    """Runs a task on every item, in any order and anywhere; a task may be run again where a worker dies."""

    def map(self, task: Callable[[T, A], R], items: Sequence[T], argument: A) -> Iterator[tuple[int, R]]:
        """The place of each item and what the task gave for it, as they come."""
        ...


def check_engine(name: str, address: str | None = None) -> None:
    """Refuse a name that is none, and the address of a cluster where no cluster is asked for.

    >>> check_engine("spark")
    Traceback (most recent call last):
    keysift.errors.SettingError: engine= must be one of local, ray; got 'spark'.
    """
    if name not in ENGINES:
        raise SettingError(f"engine= must be one of {', '.join(ENGINES)}; got {name!r}.")
    if name == "local" and address is not None:
        raise SettingError("address= is that of a Ray cluster; add engine='ray', or leave it out.")


def get_engine(name: str, *, address: str | None = None, workers: int | None = None) -> Engine:
    """The engine of this name; a Ray cluster is found at its `address`."""
    check_engine(name, address)
    if name == "ray":
        from keysift.engines.ray import RayEngine

        return RayEngine.connect(address)
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


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment, which libraries and new processes read, and put them back.

    >>> with environment({"OMP_NUM_THREADS": "1"}):
    ...     os.environ["OMP_NUM_THREADS"]
    '1'
    """
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
