"""The estimation error bound with the numbers of the five data sets put in."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.theory.sample import Sample
from keysift.risk.losses import get_loss
from keysift.theory.ascent import rademacher_from_below
from keysift.theory.bound import estimation_error_bound
from keysift.theory.contraction import contraction_bound, rms_distance
from keysift.theory.lipschitz import lipschitz_constant
from keysift.theory.rademacher import RademacherEstimate, linear_rademacher
from keysift.theory.sample_size import documents_needed, set_sizes

__all__ = ["DELTA", "RADIUS", "SPREAD", "TARGET", "Between", "Guarantee", "between", "curve", "guarantee"]

K, DELTA, TARGET = 1.0, 0.05, 0.1
RADIUS = 1.0
"""Of the ball of weights; the fits on all five sets lie within it."""
SPREAD = 10.0
"""For the curves: two documents with 50 standardised features are, as a root mean square, sqrt(2 * 50) apart."""
LIPSCHITZ = lipschitz_constant(get_loss("sigmoid"))
FEW = 200
"""Documents on each side where the lower estimate is made, which takes time for every pair."""


@dataclass(frozen=True)
class Guarantee:
    """What the theorem says about one data set."""

    title: str
    n_cp: int
    n_cn: int
    theta: float
    theta_prime: float
    spread: float
    scores: RademacherEstimate
    """The complexity of the differences of scores, by Monte Carlo."""
    contraction: float
    """The bound of the complexity with the sigmoid loss on top."""
    bound: float
    needed: int
    """Documents until the bound is at most TARGET."""


@dataclass(frozen=True)
class Between:
    """The complexity with the sigmoid loss on a small sample, from both sides."""

    below: RademacherEstimate
    above: float


def guarantee(sample: Sample) -> Guarantee:
    """Theorem 5 for the sizes, the proportions and the spread of a data set."""
    cp, cn = sample.X[sample.pseudo], sample.X[~sample.pseudo]
    spread = rms_distance(cp, cn)
    term = partial(contraction_bound, radius=RADIUS, spread=spread, lipschitz=LIPSCHITZ)
    sets = {"K": K, "delta": DELTA, "theta": sample.theta, "theta_prime": sample.theta_prime}
    return Guarantee(
        title=sample.title,
        n_cp=len(cp),
        n_cn=len(cn),
        theta=sample.theta,
        theta_prime=sample.theta_prime,
        spread=spread,
        scores=linear_rademacher(cp, cn, radius=RADIUS, draws=500, rng=np.random.default_rng(0)),
        contraction=term(len(cp), len(cn)),
        bound=estimation_error_bound(n_cp=len(cp), n_cn=len(cn), rademacher=term(len(cp), len(cn)), **sets),
        needed=documents_needed(TARGET, share=float(sample.pseudo.mean()), rademacher=term, **sets),
    )


def between(sample: Sample) -> Between:
    """How much room the contraction leaves, on the first few documents of each set."""
    cp, cn = sample.X[sample.pseudo][:FEW], sample.X[~sample.pseudo][:FEW]
    rng = np.random.default_rng(0)
    below = rademacher_from_below(get_loss("sigmoid"), cp, cn, radius=RADIUS, draws=50, starts=2, rng=rng)
    spread = rms_distance(cp, cn)
    return Between(below, contraction_bound(len(cp), len(cn), radius=RADIUS, spread=spread, lipschitz=LIPSCHITZ))


def curve(gap: float, documents: list[int]) -> list[float]:
    """The bound for two sets of the same size."""
    term = partial(contraction_bound, radius=RADIUS, spread=SPREAD, lipschitz=LIPSCHITZ)
    sizes = [set_sizes(number, 0.5) for number in documents]
    return [
        estimation_error_bound(K=K, n_cp=n, n_cn=m, delta=DELTA, theta=gap, theta_prime=0.0, rademacher=term(n, m))
        for n, m in sizes
    ]
