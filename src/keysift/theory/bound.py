"""The estimation error bound (Theorem 5): how far the learned ranking can be from the best of its class."""

from math import log, sqrt

from keysift.errors import SettingError
from keysift.theory.arguments import check_gap, check_positive, check_probability, check_size


def estimation_error_bound(
    *,
    K: float,
    n_cp: int,
    n_cn: int,
    delta: float,
    theta: float,
    theta_prime: float,
    rademacher: float,
) -> float:
    """[K sqrt(2 (n_CP + n_CN) log(1 / delta) / (n_CP n_CN)) + 4 rademacher] / (theta - theta').

    With probability 1 - delta over the two sets, R(g^) - R(g*) is at most this, for a symmetric loss with values in
    0 to K, g^ the minimiser of the empirical corrupted risk and g* that of the clean risk. `rademacher` is the
    bipartite Rademacher complexity of the pairwise losses, or an upper bound such as `contraction_bound`.

    >>> round(estimation_error_bound(
    ...     K=1, n_cp=5000, n_cn=5000, delta=0.05, theta=0.8, theta_prime=0.3, rademacher=0.01), 4)
    0.1779
    """
    gap = check_gap(theta, theta_prime)
    n, m = check_size("n_cp", n_cp), check_size("n_cn", n_cn)
    if not 0 <= rademacher < float("inf"):
        raise SettingError(f"rademacher must be a finite number of 0 or more; got {rademacher!r}.")
    deviation = check_positive("K", K) * sqrt(2 * (1 / n + 1 / m) * log(1 / check_probability("delta", delta)))
    return (deviation + 4 * rademacher) / gap
