"""Whether one may stop reading, from a random sample of what was unread."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Advice:
    """What a stop check says."""

    low: int
    """Relevant documents left unread, at least."""
    high: int
    """And at most."""
    recall: float
    """What recall is at least."""
    reached: bool
    more: int | None
    """About how many more random documents must be read, if none is relevant; None where no number would do."""


def advise(
    unread: int,
    found: int,
    drawn: int,
    relevant: int,
    check: int = 1,
    target: float = 0.95,
    confidence: float = 0.95,
) -> Advice:
    """What a random sample of the unread documents proves.

    >>> advise(unread=1000, found=50, drawn=0, relevant=0).reached
    False
    >>> advise(unread=1000, found=50, drawn=1000, relevant=0).reached
    True
    """
    alpha = (1 - confidence) / (check * (check + 1))

    def recall(read: int) -> tuple[int, float]:
        left = _most(unread, read, relevant, alpha) - relevant
        return left, found / max(found + left, 1)

    high, bound = recall(drawn)
    more = None
    if bound < target and recall(unread)[1] >= target:
        few, enough = drawn, unread
        while enough - few > 1:
            middle = (few + enough) // 2
            few, enough = (few, middle) if recall(middle)[1] >= target else (middle, enough)
        more = enough - drawn
    return Advice(0, high, bound, bound >= target, more)


def _most(unread: int, drawn: int, relevant: int, alpha: float) -> int:
    """The most relevant documents of so many with which a sample with so few is no surprise."""
    from scipy.stats import hypergeom

    low, high = relevant, unread - drawn + relevant
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if hypergeom.cdf(relevant, unread, middle, drawn) > alpha else (low, middle - 1)
    return low
