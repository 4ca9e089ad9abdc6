"""Made once for all who ask: the same until its key is another."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """What was made last under each name.

    >>> memo = Memo()
    >>> [memo.once("square", side, lambda: side**2) for side in (2, 3)]
    [4, 9]
    >>> memo.once("square", 3, lambda: 0)
    9
    """

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, Any]] = {}
        self._making = threading.RLock()
        """Held by whoever makes something, so that of many who ask for it at once only one does."""

    def once(self, name: str, key: object, make: Callable[[], T]) -> T:
        """What `make` gives, kept until the key is another."""
        known = self._made.get(name)
        if known is None or known[0] != key:
            with self._making:
                known = self._made.get(name)
                if known is None or known[0] != key:
                    known = self._made[name] = (key, make())
        made: T = known[1]
        return made
