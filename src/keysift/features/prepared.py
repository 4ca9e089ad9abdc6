"""A corpus made ready: what depends on the documents alone, and is done once whatever the keywords."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.encoding.budget import PartlyEncoded, alternating, encode_within
from keysift.encoding.encode import encode_documents
from keysift.encoding.encoder import Encoder
from keysift.encoding.precomputed import Precomputed
from keysift.errors import SettingError, warn
from keysift.features.linear import Product
from keysift.features.view import Documents, FittedView, View, role_of
from keysift.features.views import OF_VECTORS
from keysift.settings import Settings
from keysift.text.tokens import Tokens
from keysift.vectors.sources import get_vectors
from keysift.vectors.words import WordVectors

Progress = Callable[[str, float], None]
"""Called with the name of a stage and the share of it that is done."""
T = TypeVar("T")


def silent(stage: str, done: float) -> None:
    """Show no progress."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """The documents, and everything that can be made of them before a keyword is known.

    What takes long (sentence vectors, features, neighbours) is made when it is first asked for, and kept.
    """

    texts: pl.Series
    tokens: Tokens
    counts: sp.csr_array
    """How often each document holds each word of `tokens.words`."""
    vectors: str | Path | WordVectors
    """The word vectors as they were asked for; they are loaded when they are first needed."""
    views: tuple[View, ...]
    encoder: Encoder | None
    settings: Settings
    config: LearnConfig
    seed: int
    negation: str = ""
    """The word that negates a keyword; empty where nothing can be negated."""
    weights: NDArray[np.float64] | None = None
    """How many documents each stands for, where they are a sample of more; None where each is one."""
    memo: dict[str, Any] = field(default_factory=dict, repr=False)
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Which documents hold no word."""
        return np.asarray(self.tokens.lengths == 0)

    @property
    def filled(self) -> "Prepared":
        """The same without the empty documents, which have no say in what is learned; itself where there is none."""
        empty = self.empty
        return self if not empty.any() else self.once("filled", lambda: self._without(empty))

    def check_made_with(self, settings: Settings, config: LearnConfig, embeddings: object) -> None:
        """Refuse to be used by who would read new documents in another way."""
        if embeddings is not None:
            raise SettingError("Prepared documents have their sentence vectors already; hand embeddings to prepare.")
        if (self.settings, self.config) != (settings.for_language(self.settings.language), config):
            raise SettingError(
                "The documents were prepared with other settings or learning than this classifier's; prepare them with"
                " this classifier, or give it the same settings and learning."
            )

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What `make` gives, made the first time only."""
        if name in self.memo:  # whoever only looks does not wait for what is being made
            known: T = self.memo[name]
            return known
        with self.lock:
            if name not in self.memo:
                self.memo[name] = make()
            made: T = self.memo[name]
            return made

    @property
    def word_vectors(self) -> WordVectors:
        """The word vectors."""
        return self.once(
            "word vectors", lambda: get_vectors(self.vectors, self.tokens, np.random.default_rng(self.seed))
        )

    def documents(self, progress: Progress = silent, first: NDArray[np.int64] | None = None) -> Documents:
        """Counts and, with an encoder, sentence vectors.

        Encoding may take `encode_budget` seconds: every second document is one of `first` (those with a keyword). If
        some of them were left out before, for other keywords, there is a new budget for them alone.
        """
        with self.lock:
            known: Documents | None = self.memo.get("documents")
            if known is None or first is None or known.vectors is None or not known.lacks(first):
                return self.once(
                    "documents", lambda: Documents(self.counts, self._encoded(progress, first), self.weights)
                )
            made = self.memo.pop("views", {})
            self.memo["kept views"] = {name: view for name, view in made.items() if name not in OF_VECTORS}
            self.memo["documents"] = Documents(
                self.counts, self._with_more(known.vectors, first, progress), self.weights
            )
            return self.documents()

    def fitted_views(self, progress: Progress = silent) -> dict[str, FittedView]:
        """Every view of the documents, by name."""
        return dict(self.once("views", lambda: self._fit_views(progress)))

    def vocabulary(self) -> pl.Series:
        """The words that get a score: those of the documents."""
        return self.tokens.words

    def encode(self, texts: pl.Series, progress: Progress = silent) -> NDArray[np.float32] | None:
        """Vectors of changed texts; None if there is no encoder, or only vectors made elsewhere."""
        if self.encoder is None or isinstance(self.encoder, Precomputed):
            return None
        return encode_documents(self.encoder, texts, lambda done: progress("Encoding variants", done))

    def _without(self, empty: NDArray[np.bool_]) -> "Prepared":
        encoder, places = self.encoder, np.flatnonzero(~empty)
        if isinstance(encoder, Precomputed):
            encoder = Precomputed(encoder.look_up(self.texts)[places], encoder.name)
        return replace(
            self,
            texts=self.texts.gather(places),
            tokens=self.tokens.filled,
            counts=self.counts[places],
            weights=None if self.weights is None else self.weights[places],
            encoder=encoder,
            memo={},
            lock=threading.RLock(),
        )

    def _encoded(self, progress: Progress, first: NDArray[np.int64] | None) -> NDArray[np.float32] | None:
        if self.encoder is None or not any(role_of(view).kind == "sentences" for view in self.views):
            return None
        order = alternating(np.empty(0, int) if first is None else first, len(self), np.random.default_rng(self.seed))
        done = self._encode_within(self.texts, order, progress)
        if not done.left_out:
            return done.vectors
        width = max(done.vectors.shape[1], 1)  # nothing is known of it where no document was encoded
        vectors = np.full((len(self), width), np.nan, dtype=np.float32)
        vectors[done.rows, : done.vectors.shape[1]] = done.vectors
        warn(
            f"Encoding all {len(self):,} documents would take longer than the budget of"
            f" {self.config.encode_budget:g} s: {len(done.rows):,} were encoded, and the others are scored by words"
            " that the encoder taught."
        )
        return vectors

    def _with_more(
        self, vectors: NDArray[np.float32], wanted: NDArray[np.int64], progress: Progress
    ) -> NDArray[np.float32]:
        """The vectors with those of some more documents."""
        lacking = wanted[np.isnan(vectors[wanted, 0])]
        done = self._encode_within(self.texts.gather(lacking), np.arange(len(lacking)), progress)
        if not len(done.rows):
            return vectors
        more = np.full((len(self), done.vectors.shape[1]), np.nan, dtype=np.float32)
        if vectors.shape[1] == more.shape[1]:  # another width: none had been encoded
            more[:] = vectors
        more[lacking[done.rows]] = done.vectors
        return more

    def _encode_within(self, texts: pl.Series, order: NDArray[np.intp], progress: Progress) -> PartlyEncoded:
        assert self.encoder is not None
        budget = self.config.encode_budget
        return encode_within(self.encoder, texts, order, budget, lambda done: progress("Encoding", done))

    def _fit_views(self, progress: Progress) -> dict[str, FittedView]:
        documents, fitted = self.documents(progress), dict(self.memo.get("kept views", {}))
        for number, view in enumerate(self.views):
            progress("Reading views", number / len(self.views))
            if view.name in fitted:
                continue
            fitted[view.name] = _checked(view.name, view.fit(documents, self.tokens.words), documents)
        progress("Reading views", 1.0)
        return {view.name: fitted[view.name] for view in self.views}  # the order decides that of sums


def _checked(name: str, fitted: FittedView, documents: Documents) -> FittedView:
    """A view whose features can be learned from; it may be a user's own."""
    X = getattr(fitted, "X", None)
    rows = documents.counts.shape[0]
    if isinstance(X, Product):  # only keysift's own views have it
        return fitted
    if not (isinstance(X, np.ndarray | sp.csr_array) and X.ndim == 2 and X.shape[0] == rows and X.dtype == np.float64):
        got = "nothing" if X is None else f"{type(X).__name__} of {X.dtype} {X.shape}" if hasattr(X, "dtype") else X
        raise SettingError(
            f"The view {name!r} must turn {rows} documents into X, an array or csr_array of float64 with a row for"
            f" each; got {got!s:.80}."
        )
    if not np.isfinite(X.data if isinstance(X, sp.csr_array) else X).all():
        raise SettingError(f"The view {name!r} has NaN or infinity among its features; every number must be finite.")
    return fitted
