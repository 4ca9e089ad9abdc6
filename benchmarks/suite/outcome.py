"""What a system makes of a task."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Outcome"]


@dataclass(frozen=True, eq=False)
class Outcome:
    """Scores of all documents, higher for more relevant, and what else there is to note."""

    scores: NDArray[np.float64]
    facts: dict[str, Any] = field(default_factory=dict)
    """For the line of the results; where it has the measures itself, these count."""
    keywords: NDArray[np.float64] | None = None
    """How many different keywords each document holds."""
    weights: NDArray[np.float64] | None = None
    """How much each document counts as a positive example; 0 without a keyword."""
