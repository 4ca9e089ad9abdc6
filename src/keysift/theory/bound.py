"""The estimation error bound (Theorem 5): how far the learned ranking can be from the best of its class."""

from keysift.theory.deviation import estimation_error_from_deviation, uniform_deviation_bound


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
    It is Lemma 4 as printed put into Lemma 3; it holds although that lemma does not (`keysift.theory.deviation`).

    >>> round(estimation_error_bound(
    ...     K=1, n_cp=5000, n_cn=5000, delta=0.05, theta=0.8, theta_prime=0.3, rademacher=0.01), 4)
    0.1779
    """
    deviation = uniform_deviation_bound(K=K, n_cp=n_cp, n_cn=n_cn, delta=delta, rademacher=rademacher, as_printed=True)
    return estimation_error_from_deviation(deviation, theta=theta, theta_prime=theta_prime)
