"""The paper's theorems as functions: what they promise, with your numbers put in.

`excess` is Theorem 1, `affine` Theorem 2, `deviation` Lemmas 3 and 4, `bound` the estimation error bound (Theorem 5),
and `sample_size` solves the bound for the number of documents. `rademacher` computes the complexity term of the bound,
`contraction` bounds it from above and `ascent` from below. docs/theory.md walks through them.
"""

from keysift.theory.affine import clean_auc, corrupted_auc
from keysift.theory.bound import estimation_error_bound
from keysift.theory.contraction import contraction_bound, rms_distance
from keysift.theory.deviation import estimation_error_from_deviation, uniform_deviation_bound
from keysift.theory.excess import split_corrupted_sets, split_mixture
from keysift.theory.lipschitz import lipschitz_constant
from keysift.theory.sample_size import documents_needed

__all__ = [
    "clean_auc",
    "contraction_bound",
    "corrupted_auc",
    "documents_needed",
    "estimation_error_bound",
    "estimation_error_from_deviation",
    "lipschitz_constant",
    "rms_distance",
    "split_corrupted_sets",
    "split_mixture",
    "uniform_deviation_bound",
]
