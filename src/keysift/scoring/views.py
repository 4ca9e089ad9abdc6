"""The model over several views: a table of words, each with its score, and where it helps documents to compare with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.modelfile import Arrays, pack_words, unpack_words
from keysift.models import LinearModel
from keysift.scoring.nearest import Nearest
from keysift.text import Tokens, count_words, locate, recolumn
from keysift.views import Documents, Part, Shares, Tfidf

__all__ = ["ENCODER_WORD", "ViewScorer", "merged"]

ENCODER_WORD = "(sentence vector)"
"""What stands for the sentence encoder among the words that moved a score."""
BLOCK = 2_000
"""So many documents at a time: weights of words take far more room than scores."""


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
    ) -> Documents:
        """Counts of the words of the vocabulary, and the sentence vectors."""
        counts = count_words(tokens) if counts is None else counts
        return Documents(recolumn(counts, locate(tokens.words, self.vocabulary), len(self.vocabulary)), vectors)

    def score(self, prepared: Documents) -> NDArray[np.float64]:
        """The sum over the views."""
        return np.concatenate([np.empty(0), *map(self._score, _blocks(prepared))])

    def explain(self, prepared: Documents, scores: NDArray[np.float64]) -> sp.csr_array:
        """What each word adds, over all views."""
        nothing = sp.csr_array((0, len(self.words)))
        return sp.csr_array(sp.vstack([nothing, *map(self._explain, _blocks(prepared))], format="csr"))

    def _score(self, block: Documents) -> NDArray[np.float64]:
        scores = np.zeros(block.counts.shape[0])
        for part in self.parts:
            scores += part.rows(block.counts) @ part.scores + part.offset
        if self.nearest is not None:
            scores += self.nearest.score(block.counts)
        if self.encoder is None:
            return scores
        return np.maximum(scores + self._encoded(block), np.nextafter(self.lowest, np.inf))

    def _explain(self, block: Documents) -> sp.csr_array:
        moved = sp.csr_array(block.counts.shape)
        for part in self.parts:
            rows = part.rows(block.counts)
            moved = moved + sp.csr_array(
                (rows.data * part.scores[rows.indices], rows.indices, rows.indptr), shape=rows.shape
            )
        if self.nearest is not None:
            moved = moved + self.nearest.explain(block.counts)
        if self.encoder is not None:
            moved = sp.hstack([moved, sp.csr_array(self._encoded(block)[:, None])], format="csr")
        return sp.csr_array(moved)

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """The words, and for each part its scores and what weighs a word."""
        arrays: Arrays = {f"words.{name}": array for name, array in pack_words(self.vocabulary).items()}
        kinds = []
        for number, part in enumerate(self.parts):
            kinds.append("tfidf" if isinstance(part.rows, Tfidf) else "shares")
            arrays[f"part.{number}.scores"] = part.scores
            arrays[f"part.{number}.rows"] = part.rows.idf if isinstance(part.rows, Tfidf) else part.rows.known
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
            parts.append(Part(Tfidf(rows) if kind == "tfidf" else Shares(rows), scores, saved["offsets"][number]))
        near, encoder = saved["nearest"], saved["encoder"]
        nearest = None if near is None else Nearest.restore(arrays, near, len(words))
        if encoder is None:
            return cls(words, tuple(parts), nearest=nearest)
        model = LinearModel(arrays["encoder.coef"], encoder["offset"])
        return cls(words, tuple(parts), model, encoder["lowest"], nearest)

    def _encoded(self, prepared: Documents) -> NDArray[np.float64]:
        assert self.encoder is not None
        assert prepared.vectors is not None
        return self.encoder.score(prepared.vectors.astype(np.float64))


def _blocks(prepared: Documents) -> Iterator[Documents]:
    for start in range(0, prepared.counts.shape[0], BLOCK):
        rows = slice(start, start + BLOCK)
        yield Documents(prepared.counts[rows], None if prepared.vectors is None else prepared.vectors[rows])


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
    if isinstance(part.rows, Tfidf) and isinstance(other.rows, Tfidf):
        return np.array_equal(part.rows.idf, other.rows.idf)
    if isinstance(part.rows, Shares) and isinstance(other.rows, Shares):
        return np.array_equal(part.rows.known, other.rows.known)
    return False


def _least(part: Part) -> float:
    """Shares add up to less than one; TF-IDF rows have length one."""
    negative = np.minimum(part.scores, 0.0)
    return -float(np.linalg.norm(negative)) if isinstance(part.rows, Tfidf) else float(negative.min(initial=0.0))
