r"""Lemmas 3 and 4, from which Theorem 5 follows: what a deviation costs, and how large it can be.

Lemma 4 as the paper prints it does not hold. Take one function g whose pairwise loss is 0 or 1 with equal chance, and
one document in each set: the complexity of a single function is zero, the empirical risk is 0 or 1 and so always 0.5
from the true risk, but the printed bound for delta = 0.9 is 0.325. McDiarmid's inequality bounds a supremum without the
absolute value; for both signs it is needed twice, with delta / 2 each, which puts 2 in place of 1 in the logarithm.
Theorem 5 compares g^ with one fixed g*, needs one sign only, and stands as printed; docs/theory.md has the proofs.
"""

from math import log, sqrt

from keysift.errors import SettingError
from keysift.theory.arguments import check_gap, check_positive, check_probability, check_size


def estimation_error_from_deviation(deviation: float, *, theta: float, theta_prime: float) -> float:
    """Lemma 3: R(g^) - R(g*) is at most 2 deviation / (theta - theta'), for a symmetric loss.

    `deviation` is the supremum over the class of |R_corr(g) - R^_corr(g)|, g^ minimises the empirical corrupted risk
    R^_corr and g* the clean risk R.

    >>> estimation_error_from_deviation(0.05, theta=0.75, theta_prime=0.25)
    0.2
    """
    if not 0 <= deviation < float("inf"):
        raise SettingError(f"deviation must be a finite number of 0 or more; got {deviation!r}.")
    return 2 * deviation / check_gap(theta, theta_prime)


def uniform_deviation_bound(
    *, K: float, n_cp: int, n_cn: int, delta: float, rademacher: float, as_printed: bool = False
) -> float:
    """Lemma 4: K sqrt((n_CP + n_CN) log(2 / delta) / (2 n_CP n_CN)) + 2 rademacher.

    With probability 1 - delta, no |R_corr(g) - R^_corr(g)| of the class is larger, for a loss with values in 0 to K.
    `as_printed` has the paper's log(1 / delta), for which this is not true of the absolute value.

    >>> one = {"K": 1, "n_cp": 1, "n_cn": 1, "delta": 0.9, "rademacher": 0}
    >>> round(uniform_deviation_bound(**one, as_printed=True), 3), round(uniform_deviation_bound(**one), 3)
    (0.325, 0.894)
    """
    if not 0 <= rademacher < float("inf"):
        raise SettingError(f"rademacher must be a finite number of 0 or more; got {rademacher!r}.")
    n, m = check_size("n_cp", n_cp), check_size("n_cn", n_cn)
    signs = 1 if as_printed else 2
    chance = log(signs / check_probability("delta", delta))
    return check_positive("K", K) * sqrt((1 / n + 1 / m) * chance / 2) + 2 * rademacher
