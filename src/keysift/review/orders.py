"""What to read next: reading orders, one small class each.

    BestFirst   the highest score: to find all
    Uncertain   the score nearest to the border between relevant and not: to learn fastest
    Random      any: what is read is a random sample of what was unread
    Mix         best first, and now and then any: to find all, also where the ranking is mistaken

Only what `Random` reads may be taken for a random sample; the others choose what to see.
"""

from dataclasses import dataclass
from numbers import Integral
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from keysift.decide.two_groups import above_break
from keysift.errors import SettingError, shortened

FADING = 100
"""After so many documents a mix explores half as much as at first; after twice as many, a third."""


class Order(Protocol):
    """A reading order."""

    def next(
        self, scores: NDArray[np.float64], read: NDArray[np.bool_], n: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The next n documents that are not read, or all that are left where there are fewer."""
        ...


@dataclass(frozen=True)
class BestFirst:
    """The highest score; of equal scores the first document."""

    def next(
        self, scores: NDArray[np.float64], read: NDArray[np.bool_], n: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The next n documents.

        >>> BestFirst().next(np.array([1.0, 3.0, 2.0]), np.array([False, True, False]), 1, np.random.default_rng(0))
        array([2])
        """
        return _lowest(-scores, read, n)


@dataclass(frozen=True)
class Uncertain:
    """The score nearest to a border, by default to the break of the scores, where two groups of them part."""

    border: float | None = None

    def next(
        self, scores: NDArray[np.float64], read: NDArray[np.bool_], n: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The next n documents.

        >>> Uncertain(2.2).next(np.array([1.0, 3.0, 2.0]), np.zeros(3, dtype=bool), 2, np.random.default_rng(0))
        array([2, 1])
        """
        border = self.border
        if border is None:
            border = float(np.quantile(scores, 1 - above_break(scores))) if len(scores) > 1 else 0.0
        return _lowest(np.abs(scores - border), read, n)


@dataclass(frozen=True)
class Random:
    """Any document, each with the same chance."""

    def next(
        self, scores: NDArray[np.float64], read: NDArray[np.bool_], n: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The next n documents."""
        unread = np.flatnonzero(~read)
        return rng.choice(unread, min(n, len(unread)), replace=False)


@dataclass(frozen=True)
class Mix:
    """Best first, but a share of the documents is drawn at random, half as many once `FADING` were read, and so on.

    Where keywords mislead, nothing relevant may be near the top, and exploration helps to get away from there. What
    was read has taught the ranking, so it is worth the more the less was read.
    """

    explore: float = 0.05
    """The share of the first documents that is drawn at random."""

    def __post_init__(self) -> None:
        explore: object = self.explore
        if not (isinstance(explore, int | float) and 0 <= explore <= 1):
            raise SettingError(f"explore must be a share of what is read, from 0 to 1; got {shortened(self.explore)}.")

    def next(
        self, scores: NDArray[np.float64], read: NDArray[np.bool_], n: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The next n documents.

        >>> scores, read = np.arange(5.0), np.zeros(5, dtype=bool)
        >>> Mix(explore=0.0).next(scores, read, 2, np.random.default_rng(0))
        array([4, 3])
        """
        share = self.explore * FADING / (FADING + int(read.sum()))
        drawn = Random().next(scores, read, int((rng.random(n) < share).sum()), rng)
        gone = read.copy()
        gone[drawn] = True
        return np.concatenate([BestFirst().next(scores, gone, n - len(drawn), rng), drawn])


ORDERS: dict[str, Order] = {"mix": Mix(), "best": BestFirst(), "uncertain": Uncertain(), "random": Random()}
"""By the names that a command takes."""


def get_order(order: "str | Order") -> Order:
    """An order by its name; an order itself stays as it is.

    >>> get_order("best")
    BestFirst()
    >>> get_order("worst")
    Traceback (most recent call last):
    keysift.errors.SettingError: order must be mix, best, uncertain or random, or an order of your own; got 'worst'.
    """
    if isinstance(order, str) and order in ORDERS:
        return ORDERS[order]
    if not isinstance(order, str | type) and callable(getattr(order, "next", None)):
        return order
    raise SettingError(
        f"order must be mix, best, uncertain or random, or an order of your own; got {shortened(order)}."
    )


def check_count(n: object) -> int:
    """How many documents to read, one or more.

    >>> check_count(0)
    Traceback (most recent call last):
    keysift.errors.SettingError: n must be a whole number of documents, 1 or more; got 0.
    """
    if isinstance(n, bool) or not isinstance(n, Integral) or int(n) < 1:
        raise SettingError(f"n must be a whole number of documents, 1 or more; got {shortened(n)}.")
    return int(n)


def _lowest(values: NDArray[np.float64], read: NDArray[np.bool_], n: int) -> NDArray[np.int64]:
    unread = np.flatnonzero(~read)
    return unread[np.argsort(values[unread], kind="stable")[:n]]
