"""Theorem 2: for a symmetric loss the corrupted risk is an affine function of the clean one.

R_corr(g) = (theta - theta') R(g) + K (1 - theta + theta') / 2

The zero-one loss is symmetric with K = 1, and 1 - R is the AUC: it obeys the same relation.
"""

from keysift.errors import SettingError
from keysift.risk.losses import LOSSES, Loss
from keysift.theory.arguments import check_gap, check_positive


def corrupted_from_clean(risk: float, theta: float, theta_prime: float, K: float) -> float:
    """(theta - theta') risk + K (1 - theta + theta') / 2.

    >>> corrupted_from_clean(0.25, theta=0.75, theta_prime=0.25, K=1)
    0.375
    """
    gap = check_gap(theta, theta_prime)
    return gap * risk + check_positive("K", K) * (1 - gap) / 2


def clean_from_corrupted(risk: float, theta: float, theta_prime: float, K: float) -> float:
    """(risk - K (1 - theta + theta') / 2) / (theta - theta').

    >>> clean_from_corrupted(0.375, theta=0.75, theta_prime=0.25, K=1)
    0.25
    """
    gap = check_gap(theta, theta_prime)
    return (risk - check_positive("K", K) * (1 - gap) / 2) / gap


def corrupted_auc(auc: float, theta: float, theta_prime: float) -> float:
    """The AUC between the corrupted sets: (theta - theta') auc + (1 - theta + theta') / 2.

    >>> corrupted_auc(0.75, theta=0.75, theta_prime=0.25)
    0.625
    """
    return 1 - corrupted_from_clean(1 - auc, theta, theta_prime, K=1)


def clean_auc(auc: float, theta: float, theta_prime: float) -> float:
    """The AUC between the classes, from the AUC between the corrupted sets.

    A result outside 0 to 1 means that the sets are small, or not random draws from the two classes.

    >>> clean_auc(0.625, theta=0.75, theta_prime=0.25)
    0.75
    """
    return 1 - clean_from_corrupted(1 - auc, theta, theta_prime, K=1)


def symmetry_constant(loss: Loss, widest: float = 0.0) -> float:
    """K = l(z) + l(-z), if it holds for margins up to `widest`, the largest score minus the smallest.

    >>> from keysift.risk.losses import get_loss
    >>> symmetry_constant(get_loss("barrier_hinge"), widest=12.0)
    100.0
    """
    if loss.K is None:
        symmetric = ", ".join(name for name, other in LOSSES.items() if other.symmetric)
        raise SettingError(f"Theorem 2 needs a symmetric loss ({symmetric}); got {loss.name}.")
    if not widest <= loss.symmetric_within:
        raise SettingError(
            f"{loss.name} is symmetric only for margins up to {loss.symmetric_within:g}; got scores that are"
            f" {widest:g} apart: scale them down, or use sigmoid."
        )
    return loss.K
