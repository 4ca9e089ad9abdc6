r"""Theorem 1: the corrupted risk is the clean risk, scaled, plus three excessive terms.

With phi(x, x') = l(g(x) - g(x')) + l(g(x') - g(x)),

    R_corr(g) = (theta - theta') R(g)
              + (1 - theta) theta' E_P E_N phi
              + theta theta' / 2 E_P' E_P phi
              + (1 - theta) (1 - theta') / 2 E_N' E_N phi.

The theorem speaks of expectations. On finite samples it is an identity when both corrupted sets are mixtures of the
same two samples (`split_mixture`). Two real sets contain different documents of each class; that leaves a fifth part,
which `split_corrupted_sets` calls selection.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keysift.errors import InputError
from keysift.risk.losses import Loss
from keysift.risk.pairs import Method, pairs_risk
from keysift.risk.sides import Scores, Sides, normalised
from keysift.theory.arguments import check_proportion, finite_scores


@dataclass(frozen=True)
class RiskParts:
    """The corrupted risk and its parts; `total` adds them up."""

    theta: float
    """The share of positives in the corrupted positive set."""
    theta_prime: float
    """The share of positives in the corrupted negative set."""
    corrupted: float
    """R_corr(g), from all pairs of the two corrupted sets."""
    clean: float
    """R(g), from all pairs of a positive and a negative."""
    positive_negative: float
    """(1 - theta) theta' E_P E_N phi."""
    positive_positive: float
    """theta theta' / 2 E_P' E_P phi."""
    negative_negative: float
    """(1 - theta) (1 - theta') / 2 E_N' E_N phi."""
    selection: float = 0.0
    """What is left over because the two sets contain different documents; zero for mixtures."""

    @property
    def scaled_clean(self) -> float:
        """(theta - theta') R(g)."""
        return (self.theta - self.theta_prime) * self.clean

    @property
    def excess(self) -> float:
        """The sum of the three excessive terms."""
        return self.positive_negative + self.positive_positive + self.negative_negative

    @property
    def total(self) -> float:
        """All parts together: `corrupted`, up to rounding."""
        return self.scaled_clean + self.excess + self.selection


def split_mixture(
    loss: Loss,
    positive: ArrayLike,
    negative: ArrayLike,
    theta: float,
    theta_prime: float,
    *,
    positive_weights: ArrayLike | None = None,
    negative_weights: ArrayLike | None = None,
    risk: Method = pairs_risk,
) -> RiskParts:
    """Theorem 1 for mixtures of two finite samples, an identity up to rounding.

    The corrupted sets are theta P + (1 - theta) N and theta' P + (1 - theta') N, where P and N put the given weights
    (equal by default) on the scores `positive` and `negative`. The sum over pairs is exact but takes n m steps; pass
    `keysift.risk.pairwise_risk` as `risk` to split millions of scores, correct to about 1e-7.

    >>> from keysift.risk.losses import get_loss
    >>> parts = split_mixture(get_loss("sigmoid"), [1.0, 2.0], [0.0, 1.5], theta=0.75, theta_prime=0.25)
    >>> round(parts.excess, 12), abs(parts.total - parts.corrupted) < 1e-15
    (0.25, True)
    """
    theta, theta_prime = check_proportion("theta", theta), check_proportion("theta_prime", theta_prime)
    P, N = finite_scores("positive", positive), finite_scores("negative", negative)
    a, b = _shares("positive", positive_weights, P), _shares("negative", negative_weights, N)

    def mean_loss(x: Scores, u: Scores, x_prime: Scores, v: Scores) -> float:
        return risk(loss, Sides.of(x, x_prime, u, v)).value

    def phi(x: Scores, u: Scores, x_prime: Scores, v: Scores) -> float:
        return mean_loss(x, u, x_prime, v) + mean_loss(x_prime, v, x, u)

    everyone = np.concatenate([P, N])
    cp, cn = np.concatenate([theta * a, (1 - theta) * b]), np.concatenate([theta_prime * a, (1 - theta_prime) * b])
    return RiskParts(
        theta,
        theta_prime,
        corrupted=mean_loss(everyone, cp, everyone, cn),
        clean=mean_loss(P, a, N, b),
        positive_negative=(1 - theta) * theta_prime * phi(P, a, N, b),
        positive_positive=theta * theta_prime / 2 * phi(P, a, P, a),
        negative_negative=(1 - theta) * (1 - theta_prime) / 2 * phi(N, b, N, b),
    )


def split_corrupted_sets(
    loss: Loss,
    cp_scores: ArrayLike,
    cp_labels: ArrayLike,
    cn_scores: ArrayLike,
    cn_labels: ArrayLike,
    *,
    risk: Method = pairs_risk,
) -> RiskParts:
    """Theorem 1 for two sets of documents with known labels (1 or 0), and what it does not cover.

    The clean risk and the excessive terms are taken over all documents of a class, whichever set they are in; pairs
    within a class are pairs of two different documents. `selection` is what the real sets add to that:

        theta (1 - theta') [R(P_cp, N_cn) - R(P, N)]
      + theta theta' [R(P_cp, P_cn) - E_P' E_P phi / 2]
      + (1 - theta) (1 - theta') [R(N_cp, N_cn) - E_N' E_N phi / 2]
      + (1 - theta) theta' [R(N_cp, P_cn) - R(N, P)].

    Averaged over all ways to deal out the documents of each class to the two sets, it is exactly zero. On sets that
    were chosen, by keywords for instance, it shows the effect of the choice, and chance.

    >>> from keysift.risk.losses import get_loss
    >>> parts = split_corrupted_sets(get_loss("sigmoid"), [2.0, 1.0, 0.5], [1, 1, 0], [1.5, 0.0], [1, 0])
    >>> round(parts.theta, 3), parts.theta_prime, round(parts.excess, 12), round(parts.selection, 3)
    (0.667, 0.5, 0.416666666667, -0.039)
    >>> abs(parts.total - parts.corrupted) < 1e-15
    True
    """
    cp, cn = finite_scores("cp_scores", cp_scores), finite_scores("cn_scores", cn_scores)
    in_cp, in_cn = _positives("cp_labels", cp_labels, cp), _positives("cn_labels", cn_labels, cn)
    P_cp, N_cp, P_cn, N_cn = cp[in_cp], cp[~in_cp], cn[in_cn], cn[~in_cn]
    P, N = np.concatenate([P_cp, P_cn]), np.concatenate([N_cp, N_cn])
    if not len(P) or not len(N):
        raise InputError(
            f"The clean risk needs positives and negatives; got {len(P)} positives and {len(N)} negatives in the two"
            " sets: check the labels."
        )
    theta, theta_prime = float(in_cp.mean()), float(in_cn.mean())

    def mean_loss(positive: Scores, negative: Scores) -> float:
        # An empty side belongs to a term whose factor is zero.
        return risk(loss, Sides.of(positive, negative)).value if len(positive) and len(negative) else 0.0

    def phi_within(scores: Scores) -> float:
        """E phi over two different documents; with fewer than two, its factor is zero."""
        n, at_zero = len(scores), 2 * float(loss.value(0.0))
        return (n * 2 * mean_loss(scores, scores) - at_zero) / (n - 1) if n > 1 else 0.0

    clean, turned, phi_P, phi_N = mean_loss(P, N), mean_loss(N, P), phi_within(P), phi_within(N)
    return RiskParts(
        theta,
        theta_prime,
        corrupted=mean_loss(cp, cn),
        clean=clean,
        positive_negative=(1 - theta) * theta_prime * (clean + turned),
        positive_positive=theta * theta_prime / 2 * phi_P,
        negative_negative=(1 - theta) * (1 - theta_prime) / 2 * phi_N,
        selection=theta * (1 - theta_prime) * (mean_loss(P_cp, N_cn) - clean)
        + theta * theta_prime * (mean_loss(P_cp, P_cn) - phi_P / 2)
        + (1 - theta) * (1 - theta_prime) * (mean_loss(N_cp, N_cn) - phi_N / 2)
        + (1 - theta) * theta_prime * (mean_loss(N_cp, P_cn) - turned),
    )


def _shares(name: str, weights: ArrayLike | None, scores: Scores) -> NDArray[np.float64]:
    if weights is None:
        return normalised(None, len(scores))
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != scores.shape or not (array >= 0).all() or not 0 < array.sum() < np.inf:
        raise InputError(
            f"The weights of the {name} scores must be {len(scores)} numbers of 0 or more, not all 0; got an array of"
            f" shape {array.shape} with the sum {array.sum()!r}."
        )
    return normalised(array, len(scores))


def _positives(name: str, labels: ArrayLike, scores: Scores) -> NDArray[np.bool_]:
    array = np.asarray(labels)
    if array.shape != scores.shape or not np.isin(array, (0, 1)).all():
        raise InputError(
            f"{name} must have {len(scores)} labels, 1 for a positive and 0 for a negative; got an array of shape"
            f" {array.shape} with the values {np.unique(array)[:5].tolist()}."
        )
    return np.asarray(array == 1)
