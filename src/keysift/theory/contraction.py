r"""A proven upper bound on the complexity with a Lipschitz loss on top: contraction, partner by partner.

For l with Lipschitz constant L, |w| <= B, and D^2 the mean of |x_i - x'_j|^2 over all pairs,

    R^_nm  <=  L B D (1 / sqrt n + 1 / sqrt m).

The signs (sigma_i + upsilon_j) / 2 are shared by whole rows and columns of pairs, so Talagrand's contraction, which
needs an independent sign for each term, does not apply to the double sum. It does apply to the pairs of one fixed
partner x'_j: their signs sigma_i are independent. The supremum of a mean over partners is at most the mean of their
suprema, and the same with the roles exchanged gives the second half. docs/theory.md has the proof in full.
"""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from keysift.theory.arguments import check_positive, check_size, two_sets


def contraction_bound(n_cp: int, n_cn: int, *, radius: float, spread: float, lipschitz: float) -> float:
    """L B D (1 / sqrt n_cp + 1 / sqrt n_cn), with L = `lipschitz`, B = `radius` and D = `spread`.

    With the `rms_distance` of two samples as `spread` it bounds their empirical complexity, and with the root of
    E |x - x'|^2 the complexity itself. For vectors no longer than r, spread = 2 r is always enough.

    >>> contraction_bound(100, 400, radius=1.0, spread=2.0, lipschitz=0.25)
    0.075...
    """
    steepness = check_positive("lipschitz", lipschitz) * check_positive("radius", radius)
    rate = 1 / sqrt(check_size("n_cp", n_cp)) + 1 / sqrt(check_size("n_cn", n_cn))
    return steepness * check_positive("spread", spread) * rate


def rms_distance(x: ArrayLike, x_prime: ArrayLike) -> float:
    """Root of the mean of |x_i - x'_j|^2 over all pairs, from both variances and the distance of the means.

    >>> rms_distance([[0.0], [2.0]], [[1.0]])
    1.0
    """
    X, X_prime = two_sets(x, x_prime)
    between = X.mean(axis=0) - X_prime.mean(axis=0)
    return sqrt(float(X.var(axis=0).sum() + X_prime.var(axis=0).sum() + np.sum(between**2)))
