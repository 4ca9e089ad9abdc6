"""The model over several views: a score for every word and, where it helps, documents to compare with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import ModelFileError
from keysift.features.linear import LinearModel
from keysift.features.rows import Shares, Tfidf
from keysift.features.view import Part
from keysift.files.tensors import Arrays, pack_words, unpack_words
from keysift.learn.nearest import Nearest, Similar
from keysift.text.counts import count_words, recolumn
from keysift.text.tokens import Tokens
from keysift.text.vocabulary import locate

ENCODER_WORD = "(sentence vector)"
"""What stands for the sentence encoder among the words that moved a score."""
BLOCK = 2_000
"""Documents scored at a time: weights of words take far more room than scores."""


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
        """The documents as the model reads them; `counts` are those of `count_words`, if you have them already."""
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


@dataclass(frozen=True, eq=False)
class Readable:
    """Documents as a `ViewScorer` reads them."""

    counts: sp.csr_array
    """Over the words of its vocabulary."""
    vectors: NDArray[np.float32] | None = None
    similar: Similar | None = None
    """Their most similar examples, if they are known already."""

    def take(self, documents: NDArray[np.int64] | slice) -> "Readable":
        """Only some of the documents."""
        rows = np.arange(self.counts.shape[0])[documents]
        vectors = None if self.vectors is None else self.vectors[rows]
        return Readable(self.counts[rows], vectors, None if self.similar is None else self.similar.take(rows))

    def blocks(self) -> Iterator["Readable"]:
        """Some documents at a time."""
        for start in range(0, self.counts.shape[0], BLOCK):
            yield self.take(slice(start, start + BLOCK))


@dataclass(frozen=True, eq=False)
class ViewScorer:
    """Adds up the views' scores; what each word, and the sentence vector, adds is exact."""

    vocabulary: pl.Series
    parts: tuple[Part, ...]
    encoder: LinearModel | None = None
    lowest: float = -np.inf
    """With an encoder no score can be bounded from the words alone; none is lower than this."""
    nearest: Nearest | None = None
    """Training documents to compare with, where neighbours can be trusted."""

    @property
    def words(self) -> pl.Series:
        """Every word of the vocabulary, and one more that stands for the encoder."""
        if self.encoder is None:
            return self.vocabulary
        return pl.concat([self.vocabulary, pl.Series(self.vocabulary.name, [ENCODER_WORD])])

    @property
    def floor(self) -> float:
        """Lower than any document with a word in it can score."""
        if self.encoder is not None:
            return self.lowest
        return self.constant + sum(_least(part) for part in self.parts) - 1.0

    @property
    def constant(self) -> float:
        """The score before any word, or the sentence vector, adds to it."""
        nearest = 0.0 if self.nearest is None else self.nearest.offset
        return nearest + sum(part.offset for part in self.parts)

    def prepare(
        self, tokens: Tokens, counts: sp.csr_array | None = None, vectors: NDArray[np.float32] | None = None
    ) -> Readable:
        """Counts of the words of the vocabulary, and the sentence vectors."""
        counts = count_words(tokens) if counts is None else counts
        return Readable(recolumn(counts, locate(tokens.words, self.vocabulary), len(self.vocabulary)), vectors)

    def score(self, prepared: Readable) -> NDArray[np.float64]:
        """The sum over the views."""
        return np.concatenate([np.empty(0), *map(self._score, prepared.blocks())])

    def explain(self, prepared: Readable, scores: NDArray[np.float64]) -> sp.csr_array:
        """What each word adds, over all views."""
        nothing = sp.csr_array((0, len(self.words)))
        return sp.csr_array(sp.vstack([nothing, *map(self._explain, prepared.blocks())], format="csr"))

    def _score(self, block: Readable) -> NDArray[np.float64]:
        scores = np.zeros(block.counts.shape[0])
        for part in self.parts:
            scores += part.rows(block.counts) @ part.scores + part.offset
        if self.nearest is not None:
            scores += self.nearest.score(self._similar(block, self.nearest))
        if self.encoder is None:
            return scores
        return np.maximum(scores + self._encoded(block), np.nextafter(self.lowest, np.inf))

    def _explain(self, block: Readable) -> sp.csr_array:
        moved = sp.csr_array(block.counts.shape)
        for part in self.parts:
            rows = part.rows(block.counts)
            moved = moved + sp.csr_array(
                (rows.data * part.scores[rows.indices], rows.indices, rows.indptr), shape=rows.shape
            )
        if self.nearest is not None:
            moved = moved + self.nearest.explain(self._similar(block, self.nearest))
        if self.encoder is not None:
            moved = sp.hstack([moved, sp.csr_array(self._encoded(block)[:, None])], format="csr")
        return sp.csr_array(moved)

    def _similar(self, block: Readable, nearest: Nearest) -> Similar:
        return nearest.examples.similar(block.counts) if block.similar is None else block.similar

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """The words, and for each part its scores and what weighs a word."""
        arrays: Arrays = {f"words.{name}": array for name, array in pack_words(self.vocabulary).items()}
        kinds = []
        for number, part in enumerate(self.parts):
            kind, weights = _saved_rows(part)
            kinds.append(kind)
            arrays[f"part.{number}.scores"] = part.scores
            arrays[f"part.{number}.rows"] = weights
        settings = {"parts": kinds, "offsets": [part.offset for part in self.parts], "encoder": None, "nearest": None}
        if self.encoder is not None:
            arrays["encoder.coef"] = self.encoder.coef
            settings["encoder"] = {"offset": self.encoder.offset, "lowest": self.lowest}
        if self.nearest is not None:
            examples, settings["nearest"] = self.nearest.save()
            arrays |= examples
        return arrays, settings

    @classmethod
    def restore(cls, arrays: Arrays, saved: dict[str, Any]) -> "ViewScorer":
        """From what `save` gave."""
        words = unpack_words({"bytes": arrays["words.bytes"], "ends": arrays["words.ends"]})
        parts = []
        for number, kind in enumerate(saved["parts"]):
            scores, rows = arrays[f"part.{number}.scores"], arrays[f"part.{number}.rows"]
            if not len(words) == len(scores) == len(rows):
                raise KeyError(f"part.{number}.scores")
            parts.append(Part(ROWS[kind](rows), scores, saved["offsets"][number]))
        near, encoder = saved["nearest"], saved["encoder"]
        nearest = None if near is None else Nearest.restore(arrays, near, len(words))
        if encoder is None:
            return cls(words, tuple(parts), nearest=nearest)
        model = LinearModel(arrays["encoder.coef"], encoder["offset"])
        return cls(words, tuple(parts), model, encoder["lowest"], nearest)

    def _encoded(self, prepared: Readable) -> NDArray[np.float64]:
        assert self.encoder is not None
        assert prepared.vectors is not None
        return self.encoder.score(prepared.vectors.astype(np.float64))


ROWS: dict[str, type[Tfidf] | type[Shares]] = {"tfidf": Tfidf, "shares": Shares}
"""Rows that a model file can hold, by name."""


def _saved_rows(part: Part) -> tuple[str, NDArray[Any]]:
    if type(part.rows) is Tfidf:
        return "tfidf", part.rows.idf
    if type(part.rows) is Shares:
        return "shares", part.rows.known
    raise ModelFileError(
        f"A view of your own weighs words by {type(part.rows).__name__}, which a model file cannot hold: it holds"
        " numbers, never code; weigh words by keysift.features.rows.Shares or Tfidf, or leave the view out."
    )


def merged(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts that weigh words in the same way become one."""
    kept: list[Part] = []
    for part in parts:
        for place, other in enumerate(kept):
            if _same_rows(part, other):
                kept[place] = replace(other, scores=other.scores + part.scores, offset=other.offset + part.offset)
                break
        else:
            kept.append(part)
    return tuple(kept)


def _same_rows(part: Part, other: Part) -> bool:
    if type(part.rows) is Tfidf and type(other.rows) is Tfidf:
        return np.array_equal(part.rows.idf, other.rows.idf)
    if type(part.rows) is Shares and type(other.rows) is Shares:
        return np.array_equal(part.rows.known, other.rows.known)
    return False


def _least(part: Part) -> float:
    """The least a part can add: shares add up to less than one, and TF-IDF rows have length one."""
    negative = np.minimum(part.scores, 0.0)
    return -float(np.linalg.norm(negative)) if isinstance(part.rows, Tfidf) else float(negative.min(initial=0.0))
