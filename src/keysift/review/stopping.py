r"""When to stop: whether recall is at least 95 %, with 95 % confidence, from a random sample of the unread part.

A check draws documents at random from the N that are unread, without replacement, one after another. F relevant ones
were found before it, K are among the N, and X_n are among the first n that were drawn. Having found x, the target t is
reached if K is at most

    k_x = floor((F + x) / t - F).

The check stops as soon as n >= n_x for X_n = x. These numbers are the smallest, one after another, for which

    P_K(some y <= x has X_{n_y} = y, the first such one)  <=  (1 - RESERVE) alpha (1 - EARLY^(x + 1)),  K = k_x + 1,

and that probability falls with K. So whatever K is, the chance to stop below the target is at most alpha, though one
looks after every draw. It is exact, not an estimate: draws up to n with y relevant ones have the chance
K!/(K-y)! (N-K)!/(N-K-n+y)! (N-n)!/N!, whatever their order, and how many orders get there without having stopped before
is counted.

Several checks in one review share alpha: the k-th has alpha (1 - LATER) LATER^(k-1), which adds up to alpha.

The interval for what is still unread, which moves with every answer, is the confidence sequence of Waudby-Smith and
Ramdas ("Confidence sequences for sampling without replacement", 2020) by the ratio of prior and posterior: all K with

    P(what was drawn) / P_K(what was drawn)  <  1 / alpha,

where K has a beta-binomial distribution in the numerator, a working assumption that the coverage does not rest on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import exp, floor, inf, lgamma, log
from numbers import Integral
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from keysift.errors import SettingError, shortened

TARGET, CONFIDENCE = 0.95, 0.95
EARLY = 0.3
"""The smaller, the more of alpha is kept for a check that finds nothing relevant, and the less for one that does."""
LATER = 0.2
"""This share of alpha is kept for the checks after this one."""
MOST, RESERVE = 64, 0.05
"""From so many relevant documents in one check on, counting takes too long, and the interval decides, with this share
of alpha."""
SHAPE, EXPECTED = 0.5, 0.5
"""Of the beta-binomial distribution: its first parameter, and its mean as a share of what the target allows."""
ROUNDING = 1e-9
LARGE = 1e300


@dataclass(frozen=True)
class Advice:
    """What is proved by a check."""

    target: float
    confidence: float
    low: int
    """At least so many relevant documents are still unread."""
    high: int
    """At most so many are. Both ends together hold with this confidence, and so does `reached`, each by itself."""
    recall: float
    """What recall is at least, if at most `high` are unread."""
    reached: bool
    """Whether recall is at least the target, with this confidence over all checks and looks of a review."""
    more: int | None
    """About how many more documents have to be drawn until it is reached, if none of them is relevant."""


def advise(
    unread: int,
    found: int,
    drawn: int,
    relevant: int,
    check: int = 1,
    target: float = TARGET,
    confidence: float = CONFIDENCE,
) -> Advice:
    """Whether one may stop, and what it takes if not.

    `unread` documents were unread when this check began, the `check`-th of the review; `drawn` of them were drawn at
    random and answered, `relevant` of these are relevant; `found` are relevant of everything that was read, the check
    included. A draw that is left out for another one, because it is hard to answer, would make the sample a biased one.

    >>> advise(unread=1000, found=400, drawn=130, relevant=0)
    Advice(target=0.95, confidence=0.95, low=0, high=27, recall=0.936..., reached=False, more=21)
    >>> advise(unread=1000, found=400, drawn=151, relevant=0)
    Advice(target=0.95, confidence=0.95, low=0, high=21, recall=0.950..., reached=True, more=0)

    Where few are found, hardly any may be missed, so that most of what is unread has to be read.

    >>> advise(unread=2000, found=40, drawn=0, relevant=0).more
    1403
    """
    _check_counts(unread, found, drawn, relevant, check)
    target, confidence = check_share("target", target, closed=True), check_share("confidence", confidence)
    before, left = found - relevant, unread - drawn
    more = max(0, draws_needed(unread, before, relevant, check, target, confidence) - drawn)
    allowed = floor(found / target - found + ROUNDING)
    low, high = _interval(unread, drawn, relevant, _allowed(before, 0, target), spent(check, confidence))
    # The test alone decides whether the target is reached, and the interval agrees with it.
    high = min(high, allowed) if not more else max(high, min(allowed + 1, left))
    return Advice(
        target=target,
        confidence=confidence,
        low=min(low, high),
        high=high,
        recall=1.0 if not high else found / (found + high),
        reached=not more,
        more=more,
    )


def draws_needed(
    unread: int,
    found: int,
    relevant: int,
    check: int = 1,
    target: float = TARGET,
    confidence: float = CONFIDENCE,
) -> int:
    """How many documents of a check must be drawn, with so many relevant ones among them, until the target is reached.

    `found` are those from before the check.

    >>> [draws_needed(unread=1000, found=400, relevant=relevant) for relevant in range(3)]
    [151, 225, 281]
    """
    return _boundary(unread, found, target, spent(check, confidence)).needed(relevant)


def spent(check: int, confidence: float = CONFIDENCE) -> float:
    """The chance to be wrong that is left to the k-th check.

    >>> [round(spent(check), 6) for check in (1, 2, 3)]
    [0.04, 0.008, 0.0016]
    """
    return (1 - confidence) * (1 - LATER) * LATER ** (check - 1)


class Boundary:
    """How many documents of a check have to be drawn, for each number of relevant ones among them.

    >>> boundary = Boundary(unread=1000, found=400, target=0.95, alpha=0.05)
    >>> [boundary.needed(relevant) for relevant in range(4)]
    [142, 216, 273, 315]
    """

    def __init__(self, unread: int, found: int, target: float, alpha: float) -> None:
        self.unread, self.found, self.target, self.alpha = unread, found, target, alpha
        self._needed: list[int] = []
        self._stopped: list[float] = []
        """The logarithm of how many orders stop with so many relevant ones."""
        self._alive = np.full(MOST, -inf)
        """The same of the orders that have not stopped, for each number of relevant ones by now."""
        self._alive[0] = 0.0
        self._lock = Lock()
        """Of one boundary for all threads: a page may ask while a review does."""

    def needed(self, relevant: int) -> int:
        """So many draws are enough with so many relevant ones among them."""
        if relevant >= MOST:
            return self._by_interval(relevant)
        with self._lock:
            while len(self._needed) <= relevant:
                self._extend(len(self._needed))
        return self._needed[relevant]

    def _extend(self, x: int) -> None:
        drawn = self._needed[-1] if x else 0
        K, level = _allowed(self.found, x, self.target) + 1, self.alpha * (1 - RESERVE) * (1 - EARLY ** (x + 1))
        orders = float(self._alive[x])
        few, enough = max(drawn, x) - 1, self.unread
        if self.unread < K:  # whatever is unread may be missed
            enough = few + 1
        spent = sum(
            exp(ways + _log_chance(self.unread, K, n, y))
            for y, (n, ways) in enumerate(zip(self._needed, self._stopped, strict=True))
        )
        while enough - few > 1:
            n = (few + enough) // 2
            wrong = spent + exp(orders + _log_chance(self.unread, K, n, x))
            few, enough = (few, n) if wrong <= level else (n, enough)
        self._needed.append(enough)
        self._alive = _go_on(self._alive, enough - drawn, x)
        self._stopped.append(float(self._alive[x]))
        self._alive[x] = -inf

    def _by_interval(self, x: int) -> int:
        first, last = (_allowed(self.found, relevant, self.target) for relevant in (0, x))

        def proved(drawn: int) -> bool:
            return x + _interval(self.unread, drawn, x, first, self.alpha * RESERVE)[1] <= last

        return _first(proved, min(x, self.unread), self.unread)


_boundary = lru_cache(maxsize=64)(Boundary)


def _go_on(alive: NDArray[np.float64], draws: int, x: int) -> NDArray[np.float64]:
    """How many orders there are after some more draws: each is chosen by which of the draws are relevant."""
    size = len(alive) - x
    ways = np.full(2 * size - 1, -inf)
    ways[size - 1 :] = [_log_choose(draws, more) for more in range(size)]
    terms = alive[x:] + np.lib.stride_tricks.sliding_window_view(ways, size)[:, ::-1]
    most = np.maximum(terms.max(axis=1), -LARGE)  # none minus none would be no number
    with np.errstate(divide="ignore"):
        after = most + np.log(np.exp(terms - most[:, None]).sum(axis=1))
    return np.concatenate([np.full(x, -inf), after])


def _allowed(found: int, relevant: int, target: float) -> int:
    """So many of the documents that were unread may be relevant, if so many of them are found."""
    return floor((found + relevant) / target - found + ROUNDING)


def _interval(unread: int, drawn: int, relevant: int, allowed: int, alpha: float) -> tuple[int, int]:
    """From and to how many relevant documents are not drawn."""
    fewest, most = relevant, unread - (drawn - relevant)
    if not drawn or fewest == most:
        return fewest - relevant, most - relevant
    mean = min(EXPECTED * max(1, allowed), unread / 2)
    a, b = SHAPE, SHAPE * (unread / mean - 1)
    mixture = _log_beta(a + relevant, b + drawn - relevant) - _log_beta(a, b)

    def held(K: int) -> bool:
        return mixture - _log_chance(unread, K, drawn, relevant) < -log(alpha)

    likeliest = min(max(fewest, (unread + 1) * relevant // drawn), most)
    return _first(held, fewest, likeliest) - relevant, -_first(lambda K: held(-K), -most, -likeliest) - relevant


def _first(held: Callable[[int], bool], start: int, stop: int) -> int:
    """The first from start on that is held; stop is, and all between the two after one that is."""
    while start < stop:
        middle = (start + stop) // 2
        start, stop = (start, middle) if held(middle) else (middle + 1, stop)
    return stop


def _log_chance(unread: int, K: int, drawn: int, relevant: int) -> float:
    """Of one order in which documents are drawn, so many of them relevant, if K are."""
    if relevant > K or drawn - relevant > unread - K:
        return -inf
    return _log_falling(K, relevant) + _log_falling(unread - K, drawn - relevant) - _log_falling(unread, drawn)


def _log_falling(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(n - k + 1)


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) if k <= n else -inf


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def check_share(name: str, value: object, *, closed: bool = False) -> float:
    """A target or a confidence.

    >>> check_share("target", 1, closed=True)
    1.0
    >>> check_share("confidence", 1)
    Traceback (most recent call last):
    keysift.errors.SettingError: confidence must be above 0 and below 1, like 0.95; got 1.
    """
    if isinstance(value, int | float | np.floating) and (0 < value < 1 or (closed and value == 1)):
        return float(value)
    raise SettingError(
        f"{name} must be above 0 and {'at most' if closed else 'below'} 1, like 0.95; got {shortened(value)}."
    )


def _check_counts(unread: object, found: object, drawn: object, relevant: object, check: object) -> None:
    counts = {"unread": unread, "found": found, "drawn": drawn, "relevant": relevant, "check": check}
    whole: dict[str, int] = {}
    for name, value in counts.items():
        least = 1 if name == "check" else 0
        if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
            raise SettingError(f"{name} must be a whole number, {least} or more; got {shortened(value)}.")
        whole[name] = int(value)
    for few, many in (("drawn", "unread"), ("relevant", "drawn"), ("relevant", "found")):
        if whole[few] > whole[many]:
            raise SettingError(
                f"There cannot be more {few} than {many} documents; got {whole[few]:,} and {whole[many]:,}."
            )
