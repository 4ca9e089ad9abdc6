r"""The empirical bipartite Rademacher complexity of linear scores (Section 5), with the supremum in closed form.

    R^_nm(Q) = 2 E sup_Q 1/(nm) sum_i sum_j (sigma_i + upsilon_j) / 2  Q(x_i, x'_j)

For Q(x, x') = w . (x - x') with |w| <= B the double sum is w . v, and the supremum of w . v is B |v|. Two single sums
give v:

    2 v = 1/n sum_i sigma_i (x_i - mean x')  +  1/m sum_j upsilon_j (mean x - x'_j).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keysift.errors import SettingError
from keysift.theory.arguments import check_positive, two_sets

BLOCK = 4_000_000
"""Signs drawn at once, to bound the memory."""


@dataclass(frozen=True)
class RademacherEstimate:
    """A Monte Carlo mean and its standard error."""

    mean: float
    standard_error: float


def linear_suprema(
    x: ArrayLike, x_prime: ArrayLike, sigma: ArrayLike, upsilon: ArrayLike, radius: float
) -> NDArray[np.float64]:
    """2 sup over |w| <= radius of 1/(nm) sum_ij (sigma_i + upsilon_j)/2 w . (x_i - x'_j), for each row of signs.

    >>> linear_suprema([[3.0, 4.0]], [[0.0, 0.0]], sigma=[[1], [1]], upsilon=[[1], [-1]], radius=2.0).tolist()
    [20.0, 0.0]
    """
    X, X_prime = two_sets(x, x_prime)
    from_partners = (X - X_prime.mean(axis=0)) / len(X)
    to_partners = (X.mean(axis=0) - X_prime) / len(X_prime)
    twice_v = np.asarray(sigma, dtype=np.float64) @ from_partners + np.asarray(upsilon, dtype=np.float64) @ to_partners
    return np.asarray(check_positive("radius", radius) * np.linalg.norm(twice_v, axis=1))


def linear_rademacher(
    x: ArrayLike, x_prime: ArrayLike, *, radius: float, draws: int = 1000, rng: np.random.Generator
) -> RademacherEstimate:
    """The complexity of the differences w . (x - x'), |w| <= radius, from `draws` random rows of signs.

    The unhinged loss 1 - w . (x - x') on top leaves it unchanged: the one adds a term of mean zero to every supremum,
    and the minus only flips w.

    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> linear_rademacher(X, -X, radius=1.0, draws=10_000, rng=np.random.default_rng(0))
    RademacherEstimate(mean=1.313..., standard_error=0.0087...)
    """
    X, X_prime = two_sets(x, x_prime)
    _check_draws(draws)
    suprema = []
    block = max(1, BLOCK // (len(X) + len(X_prime)))
    for start in range(0, draws, block):
        sigma, upsilon = draw_signs(min(block, draws - start), len(X), len(X_prime), rng)
        suprema.append(linear_suprema(X, X_prime, sigma, upsilon, radius))
    return mean_of(np.concatenate(suprema))


def draw_signs(draws: int, n: int, m: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows of n and of m independent signs.

    >>> [signs.shape for signs in draw_signs(5, 2, 3, np.random.default_rng(0))]
    [(5, 2), (5, 3)]
    """
    _check_draws(draws)
    signs = rng.choice(np.array([-1.0, 1.0]), size=(draws, n + m))
    return signs[:, :n], signs[:, n:]


def mean_of(values: NDArray[np.float64]) -> RademacherEstimate:
    """Mean and standard error of independent values.

    >>> mean_of(np.array([1.0, 3.0]))
    RademacherEstimate(mean=2.0, standard_error=1.0)
    """
    return RademacherEstimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


def _check_draws(draws: int) -> None:
    if draws < 2:
        raise SettingError(f"draws must be 2 or more, for a mean and its standard error; got {draws!r}.")
