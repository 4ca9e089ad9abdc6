"""The share of relevant documents: given, answered, or guessed.

No keyword tells it. Without an answer the prior lies between what is usual in other corpora and the upper of the two
groups that the scores form, as far as they form any (`two_groups`). The interval around it is as wide as the misses on
other corpora make it (docs/decisions.md).
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from keysift.decide.posterior import Interval
from keysift.errors import SettingError

GUESSED = "by other corpora and the groups of the scores"
"""What a prior without an answer rests on."""


@dataclass(frozen=True)
class PriorEstimate:
    """The share of relevant documents with its bounds, and where it comes from."""

    value: float
    low: float
    high: float
    basis: str
    """"given", "heuristic", "estimate" or "audit"."""
    assumes: str
    """What it rests on, as a phrase."""

    @property
    def interval(self) -> Interval:
        """The share and its bounds."""
        return Interval(self.value, self.low, self.high)

    @property
    def provisional(self) -> bool:
        """Whether nobody said anything of these documents yet: neither a prior nor an answer."""
        return self.basis in ("heuristic", "estimate")

    def __str__(self) -> str:
        if self.basis == "given":
            return f"{self.value:.3g}, as given"
        return f"{self.value:.3g} (between {self.low:.2g} and {self.high:.2g}, {self.assumes})"


Prior: TypeAlias = float | Literal["heuristic", "estimate", "audit"]
"""The share of relevant documents, or how to find it: "estimate" (what is usual and how the scores part; no keyword
tells it), "heuristic" (the share of pseudo-positives), "audit" (from answers)."""


def check_prior(prior: object) -> Prior:
    """The prior, if it can be used; else an error that says what can.

    >>> check_prior(0.1), check_prior("estimate")
    (0.1, 'estimate')
    """
    if isinstance(prior, str) and prior in ("heuristic", "estimate", "audit"):
        return prior  # type: ignore[return-value]
    if isinstance(prior, int | float | np.number) and not isinstance(prior, bool) and 0 < float(prior) < 1:
        return float(prior)
    raise SettingError(
        f"prior must be a number between 0 and 1 (both excluded), 'estimate' or 'heuristic'; got {prior!r}."
    )


def given_prior(prior: float) -> PriorEstimate:
    """A prior that somebody knows."""
    return PriorEstimate(prior, prior, prior, "given", "as given")
