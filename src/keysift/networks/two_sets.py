"""What a network cannot learn from, said before it is trained."""

import numpy as np
from numpy.typing import NDArray

from keysift.errors import KeywordError


def check_sets(positive: NDArray[np.bool_], vectors: str) -> None:
    """Refuse documents that are all in one set, once those without any known word are left out.

    >>> check_sets(np.array([True, False]), "glove-6b-50d")
    """
    if not positive.any() or positive.all():
        raise KeywordError(
            f"The documents {'with' if not positive.any() else 'without'} a keyword contain no word that has a vector"
            f" in {vectors}; use vectors='corpus' to learn vectors from the documents."
        )
