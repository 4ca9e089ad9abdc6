"""Fitted models that score documents and give reasons: what `KeywordClassifier` holds after a fit.

`views` is the linear model over several views and `fitting` the way to it, `network` any torch module. Both look the
same from outside; only `network` needs torch, and nothing here imports it before a network is asked for.
"""

from typing import Any, Protocol

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.modelfile import Arrays
from keysift.scoring.choice import MODELS, check_model, network_room
from keysift.scoring.fitting import ViewHistory, Work, fit_views
from keysift.scoring.views import ViewScorer
from keysift.text import Tokens

__all__ = ["MODELS", "Scorer", "ViewHistory", "ViewScorer", "Work", "check_model", "fit_views", "network_room"]


class Scorer(Protocol):
    """A fitted model. `prepare` turns tokens into what the model reads, once for scores and reasons."""

    @property
    def words(self) -> pl.Series:
        """The words that it knows."""
        ...

    @property
    def floor(self) -> float:
        """Lower than any document with a word in it can score."""
        ...

    def prepare(
        self, tokens: Tokens, counts: sp.csr_array | None = None, vectors: NDArray[np.float32] | None = None
    ) -> Any:
        """The documents the way the model reads them; `counts` are those of `count_words`, where they are at hand."""
        ...

    def score(self, prepared: Any) -> NDArray[np.float64]:
        """One score a document."""
        ...

    def explain(self, prepared: Any, scores: NDArray[np.float64]) -> sp.csr_array:
        """What each of `words` adds to the score of each document."""
        ...

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """Arrays and settings from which it can be made again."""
        ...
