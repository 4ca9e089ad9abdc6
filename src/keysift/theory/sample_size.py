"""The bound solved for the number of documents: how many bring it below a target."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from keysift.errors import SettingError
from keysift.theory.arguments import check_positive, check_probability, check_size
from keysift.theory.bound import estimation_error_bound

Complexity: TypeAlias = Callable[[int, int], float]
"""The Rademacher term for n_CP and n_CN documents; it must not grow with either."""

MOST = 10**15
"""More documents than anyone has: a bound that is not below the target by then never will be."""


def set_sizes(documents: int, share: float) -> tuple[int, int]:
    """n_CP and n_CN: the share of pseudo-positives, rounded down, and the rest. Neither falls as documents are added.

    >>> set_sizes(10, 0.25)
    (2, 8)
    """
    # In fractions, because a rounded product might skip a document.
    n_cp = int(check_size("documents", documents) * Fraction(check_probability("share", share)))
    return n_cp, documents - n_cp


def documents_needed(
    target: float,
    *,
    share: float,
    K: float,
    delta: float,
    theta: float,
    theta_prime: float,
    rademacher: Complexity,
) -> int:
    """The smallest number of documents, both sets together, whose estimation error bound is at most `target`.

    `share` is the share of pseudo-positives and `rademacher` the complexity term as a function of n_CP and n_CN. The
    bound falls with the number of documents, so bisection finds the smallest one exactly.

    >>> from functools import partial
    >>> from keysift.theory.contraction import contraction_bound
    >>> term = partial(contraction_bound, radius=1.0, spread=2.0, lipschitz=0.25)
    >>> documents_needed(0.1, share=0.4, K=1, delta=0.05, theta=0.8, theta_prime=0.3, rademacher=term)
    46146
    """
    check_positive("target", target)

    def low_enough(documents: int) -> bool:
        n_cp, n_cn = set_sizes(documents, share)
        bound = estimation_error_bound(
            K=K,
            n_cp=n_cp,
            n_cn=n_cn,
            delta=delta,
            theta=theta,
            theta_prime=theta_prime,
            rademacher=rademacher(n_cp, n_cn),
        )
        return bound <= target

    fewest = ceil(1 / Fraction(check_probability("share", share)))  # one document in each set
    if low_enough(fewest):
        return fewest
    too_few, enough = fewest, 2 * fewest
    while not low_enough(enough):
        if enough > MOST:
            raise SettingError(
                f"The bound stays above {target!r} for up to {MOST:,} documents; raise the target, or use a Rademacher"
                " term that falls with the number of documents."
            )
        too_few, enough = enough, 2 * enough
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if low_enough(middle) else (middle, enough)
    return enough
