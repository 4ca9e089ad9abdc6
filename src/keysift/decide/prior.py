"""The share of relevant documents: given, answered, or only what is usual.

Nothing that can be seen without an answer (the share of documents with a keyword, the shape of the scores, how far
keywords lead, how views agree) tells the share better than a constant does on corpora that had no say
(docs/decisions.md). So without an answer the prior is the usual one, with the interval in which other corpora are.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keysift.decide.odds import expit, logit
from keysift.decide.posterior import Interval
from keysift.errors import SettingError


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

    def share_to_cut(self, scores: NDArray[np.float64]) -> float:
        """The share of these documents to take for relevant.

        It is the prior; a prior that is only usual meets the break of the scores halfway, in log odds.

        >>> scores = np.array([0.0] * 80 + [1.0] * 20)
        >>> round(PriorEstimate(0.2, 0.01, 0.6, "estimate", "").share_to_cut(scores), 3)
        0.2
        """
        if self.basis != "estimate" or len(np.unique(scores)) == 1:
            return self.value
        return float(expit((logit(self.value) + logit(above_break(scores))) / 2))

    def __str__(self) -> str:
        if self.basis == "given":
            return f"{self.value:.3g}, as given"
        return f"{self.value:.3g} (between {self.low:.2g} and {self.high:.2g}, {self.assumes})"


Prior: TypeAlias = float | Literal["heuristic", "estimate", "audit"]
"""The share of relevant documents, or how to find it: "estimate" (what is usual; nothing better is known without an
answer), "heuristic" (the share of pseudo-positives), "audit" (from answers)."""


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


def above_break(scores: NDArray[np.float64]) -> float:
    """The share of the documents above the break of their scores, by the method of Otsu.

    The two parts have the largest variance between them. An empty document, which scores lower than any other can, is
    taken for a low one.

    >>> above_break(np.array([0.0, 0.1, 0.2, 5.0]))
    0.25
    """
    middle, upper = np.quantile(scores, [0.5, 0.84])
    spread = float(upper - middle) or float(scores.max() - middle) or 1.0
    ordered = np.sort(np.maximum(scores, middle - 4 * spread))
    total, below = np.cumsum(ordered), np.arange(1, len(ordered))
    lower, higher = total[:-1] / below, (total[-1] - total[:-1]) / (len(ordered) - below)
    between = below * (len(ordered) - below) * (higher - lower) ** 2
    return float(1 - below[np.argmax(between)] / len(ordered))
