"""The theory meets the audit: the estimation error bound with the measured theta and theta'."""

from dataclasses import dataclass
from functools import partial

from keysift.audit.estimates import Estimate
from keysift.errors import SettingError
from keysift.theory import contraction_bound, documents_needed, estimation_error_bound

__all__ = ["DELTA", "Guarantee", "guarantee"]

K, DELTA, TARGET = 1.0, 0.05, 0.1
LIPSCHITZ, RADIUS, SPREAD = 0.25, 1.0, 10.0
"""The sigmoid loss, weights within the unit ball, and 50 standardised features: two documents are, as a root mean
square, sqrt(2 * 50) apart. These are the numbers of docs/theory.md; a ranking file does not hold its features."""


@dataclass(frozen=True)
class Guarantee:
    """How far the learned ranking can be from the best of its class, in risk (about 1 - AUC)."""

    gap: Estimate
    """theta - theta'."""
    n_cp: int
    n_cn: int
    bound: float | None
    """At the measured gap; None where it is not above zero."""
    worst: float | None
    """At the lower end of the gap's interval."""
    needed: int | None
    """Documents, both sets together, until the bound is at most 0.1."""

    @property
    def sentence(self) -> str:
        """What it means."""
        if self.bound is None:
            return (
                "The keywords do not find more relevant documents than there are elsewhere (theta is not above theta'),"
                " so the theory promises nothing; use other keywords."
            )
        says = (
            f"With probability {1 - DELTA:.0%} the risk of the learned ranking (about 1 - AUC) is at most"
            f" {self.bound:.2f} above that of the best of its kind, taken as linear in 50 standardised"
            " features with the sigmoid loss"
        )
        if self.bound >= 1:
            says += ", which says nothing, because no risk is above 1: such bounds need many documents"
        worst = "no bound at all" if self.worst is None else f"{self.worst:.2f}"
        price = (
            f"; the mistakes in the two sets make it {1 / (self.gap.value or 1):.1f} times what clean sets would have"
        )
        needed = f", and {self.needed:,} documents would bring it to {TARGET}" if self.needed else ""
        return f"{says}{price} ({worst} at the lower end of the gap's interval){needed}."


def guarantee(theta: Estimate, theta_prime: Estimate, gap: Estimate, n_cp: int, n_cn: int) -> Guarantee:
    """Theorem 5 for a linear ranking with the sigmoid loss.

    >>> sure = Estimate(0.8, 0.7, 0.9)
    >>> round(guarantee(sure, Estimate(0.3, 0.2, 0.4), Estimate(0.5, 0.4, 0.6), 5000, 5000).bound, 2)
    0.66
    """
    term = partial(contraction_bound, radius=RADIUS, spread=SPREAD, lipschitz=LIPSCHITZ)

    def bound(difference: float | None) -> float | None:
        if difference is None or difference <= 0:
            return None
        return estimation_error_bound(
            K=K,
            n_cp=n_cp,
            n_cn=n_cn,
            delta=DELTA,
            theta=difference,
            theta_prime=0.0,
            rademacher=term(n_cp, n_cn),
        )

    needed = None
    if gap.value is not None and gap.value > 0:
        try:
            needed = documents_needed(
                TARGET,
                share=n_cp / (n_cp + n_cn),
                K=K,
                delta=DELTA,
                theta=theta.value or 0.0,
                theta_prime=theta_prime.value or 0.0,
                rademacher=term,
            )
        except SettingError:  # more than anyone has
            needed = None
    return Guarantee(gap, n_cp, n_cn, bound(gap.value), bound(gap.low), needed)
