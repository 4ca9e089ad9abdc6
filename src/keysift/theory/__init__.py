"""The paper's theorems as functions: what is promised, with numbers put in.

`excess` is Theorem 1, `affine` Theorem 2, `bound` the estimation error bound (Theorem 5) and `sample_size` its reading
backwards. The bound's complexity term is computed in `rademacher`, bounded from above in `contraction` and from below
in `ascent`.
"""

from keysift.theory.affine import (
    clean_auc,
    clean_from_corrupted,
    corrupted_auc,
    corrupted_from_clean,
    symmetry_constant,
)
from keysift.theory.ascent import rademacher_from_below
from keysift.theory.bound import estimation_error_bound
from keysift.theory.contraction import contraction_bound, rms_distance
from keysift.theory.excess import RiskParts, split_corrupted_sets, split_mixture
from keysift.theory.lipschitz import lipschitz_constant
from keysift.theory.rademacher import Estimate, linear_rademacher, linear_suprema, unhinged_rademacher
from keysift.theory.sample_size import documents_needed, set_sizes

__all__ = [
    "Estimate",
    "RiskParts",
    "clean_auc",
    "clean_from_corrupted",
    "contraction_bound",
    "corrupted_auc",
    "corrupted_from_clean",
    "documents_needed",
    "estimation_error_bound",
    "linear_rademacher",
    "linear_suprema",
    "lipschitz_constant",
    "rademacher_from_below",
    "rms_distance",
    "set_sizes",
    "split_corrupted_sets",
    "split_mixture",
    "symmetry_constant",
    "unhinged_rademacher",
]
