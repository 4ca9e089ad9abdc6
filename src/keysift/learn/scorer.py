"""The model over several views: a score for every word, for pieces of words, and for the sentence vector."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import ModelFileError
from keysift.features.characters import words_never_seen
from keysift.features.linear import LinearModel
from keysift.features.pieces import Pieces
from keysift.features.rows import Shares, Tfidf
from keysift.features.view import CharacterPart, NeighbourPart, Part
from keysift.files.fields import Columns, DamagedPartError, Fields
from keysift.files.tensors import Arrays, pack_words, unpack_words
from keysift.learn.readable import Readable
from keysift.text.counts import count_words, recolumn
from keysift.text.known_words import KnownWords
from keysift.text.tokens import Tokens
from keysift.text.vocabulary import locate

ENCODER_WORD = "(sentence vector)"
"""What stands for the sentence encoder among the words that moved a score."""
CHARACTER_WORD = "(other words)"
"""The same for all words that no document of training held, which are scored by their pieces."""


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
class ViewScorer:
    """Adds up the views' scores; what each word and the sentence vector add is exact."""

    vocabulary: pl.Series
    parts: tuple[Part, ...]
    encoder: LinearModel | None = None
    lowest: float = -np.inf
    """Nothing bounds what a sentence vector or a word never seen adds; with either, no score is lower than this."""
    characters: CharacterPart | None = None
    standing_in: Part | None = None
    """For documents that were not encoded: a score of words in place of that of the sentence vector."""
    neighbours: NeighbourPart | None = None
    """What the neighbourhoods of the sentence vector add, where they count."""

    @property
    def words(self) -> pl.Series:
        """Every word of the vocabulary, and one more each that stands for all other words and for the encoder."""
        more = [CHARACTER_WORD] * (self.characters is not None) + [ENCODER_WORD] * (self.encoder is not None)
        return pl.concat([self.vocabulary, pl.Series(self.vocabulary.name, more, dtype=pl.String)])

    @property
    def floor(self) -> float:
        """Lower than any document with a word in it can score."""
        if np.isfinite(self.lowest):
            return self.lowest
        return self.constant + sum(_least(part) for part in self.parts) - 1.0

    @property
    def constant(self) -> float:
        """The score before any word, or the sentence vector, adds to it."""
        characters = 0.0 if self.characters is None else self.characters.offset
        return characters + sum(part.offset for part in self.parts)

    def prepare(
        self, tokens: Tokens, counts: sp.csr_array | None = None, vectors: NDArray[np.float32] | None = None
    ) -> Readable:
        """Counts of the words of the vocabulary, sentence vectors and neighbourhoods, and what other words add."""
        counts, size = count_words(tokens) if counts is None else counts, len(self.vocabulary)
        first = tokens.words.head(size).equals(self.vocabulary)  # as they are in training, and where `known_words` were
        numbers = np.arange(len(tokens.words))
        places = np.where(numbers < size, numbers, -1) if first else locate(tokens.words, self.vocabulary)
        others = np.flatnonzero(places < 0)
        never_seen = None
        if self.characters is not None and len(others):
            numbers = np.full(len(places), -1)
            numbers[others] = np.arange(len(others))
            left = recolumn(counts, numbers, len(others))
            never_seen = words_never_seen(self.characters, left, tokens.words.gather(others))
        known = counts if first and len(places) == size else recolumn(counts, places, size)
        belongs = None
        if self.neighbours is not None and vectors is not None:
            belongs = self.neighbours.belongs(np.nan_to_num(vectors))
        return Readable(known, vectors, never_seen, belongs)

    @cached_property
    def known_words(self) -> KnownWords:
        """The vocabulary, for `tokenize`: who scores many documents needs to number its words only once."""
        return KnownWords.of(self.vocabulary)

    def score(self, prepared: Readable) -> NDArray[np.float64]:
        """The sum over the views."""
        return np.concatenate([np.empty(0), *map(self._score, prepared.blocks())])

    def explain(self, prepared: Readable, scores: NDArray[np.float64]) -> sp.csr_array:
        """What each word adds, over all views."""
        nothing = sp.csr_array((0, len(self.words)))
        return sp.csr_array(sp.vstack([nothing, *map(self._explain, prepared.blocks())], format="csr"))

    def _score(self, block: Readable) -> NDArray[np.float64]:
        scores, weighed = np.zeros(block.counts.shape[0]), self._weighed(block)
        for part, rows in zip(self.parts, weighed, strict=True):
            scores += rows @ part.scores + part.offset
        if self.characters is not None:
            rows, others = self._spelled(block, self.characters)
            scores += rows @ self.characters.scores + others + self.characters.offset
        if self.encoder is not None:
            scores += self._encoded(block, weighed)
        return np.maximum(scores, np.nextafter(self.lowest, np.inf))

    def _explain(self, block: Readable) -> sp.csr_array:
        moved, weighed = sp.csr_array(block.counts.shape), self._weighed(block)
        scored = [(rows, part.scores) for part, rows in zip(self.parts, weighed, strict=True)]
        more = []
        if self.characters is not None:
            rows, others = self._spelled(block, self.characters)
            scored.append((rows, self.characters.scores))
            more.append(sp.csr_array(others[:, None]))
        for rows, scores in scored:
            moved = moved + sp.csr_array(
                (rows.data * scores[rows.indices], rows.indices, rows.indptr), shape=rows.shape
            )
        if self.encoder is not None:
            more.append(sp.csr_array(self._encoded(block, weighed)[:, None]))
        return sp.csr_array(sp.hstack([moved, *more], format="csr") if more else moved)

    def _weighed(self, block: Readable) -> list[sp.csr_array]:
        """The words as each part weighs them."""
        return [part.rows(block.counts) for part in self.parts]

    @staticmethod
    def _spelled(block: Readable, part: CharacterPart) -> tuple[sp.csr_array, NDArray[np.float64]]:
        """The words as they weigh by their spelling, and what words beyond the vocabulary add."""
        rows = part.rows.copied(block.counts)
        if block.never_seen is None:
            part.rows.weigh(rows)
            return rows, np.zeros(rows.shape[0])
        squares, scores = block.never_seen.T
        return rows, scores / part.rows.weigh(rows, squares)

    def _encoded(self, block: Readable, weighed: list[sp.csr_array]) -> NDArray[np.float64]:
        assert self.encoder is not None
        assert block.vectors is not None
        scores = self.encoder.score(block.vectors.astype(np.float64))
        missing = np.isnan(scores)
        if self.neighbours is not None:
            assert block.belongs is not None
            scores += block.belongs @ self.neighbours.scores + self.neighbours.offset
        if self.standing_in is not None and missing.any():
            part, places = self.standing_in, np.flatnonzero(missing)
            same = (rows for other, rows in zip(self.parts, weighed, strict=True) if _same_rows(part, other))
            rows = next(same, None)  # weighed already, as a rule: both are learned over the same view
            rest = part.rows(block.counts[places]) if rows is None else rows[places]
            scores[missing] = rest @ part.scores + part.offset
        return np.nan_to_num(scores)

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """The words, and for each part its scores and what weighs a word."""
        arrays: Arrays = {f"words.{name}": array for name, array in pack_words(self.vocabulary).items()}
        kinds = []
        for number, part in enumerate(self.parts):
            kind, weights = _saved_rows(part)
            kinds.append(kind)
            arrays[f"part.{number}.scores"] = part.scores
            arrays[f"part.{number}.rows"] = weights
        settings: dict[str, Any] = {
            "parts": kinds,
            "offsets": [part.offset for part in self.parts],
            "lowest": self.lowest if np.isfinite(self.lowest) else None,
            "encoder": None,
            "characters": None,
            "standing_in": None,
            "neighbours": None,
        }
        if self.encoder is not None:
            arrays["encoder.coef"] = self.encoder.coef
            settings["encoder"] = {"offset": self.encoder.offset}
        if self.characters is not None:
            packed = pack_words(self.characters.pieces.grams)
            arrays |= {f"grams.{name}": array for name, array in packed.items()}
            arrays["grams.idf"] = self.characters.pieces.idf
            arrays["grams.scores"] = self.characters.pieces_scores
            arrays["characters.scores"] = self.characters.scores
            arrays["characters.rows"] = self.characters.rows.idf
            settings["characters"] = {"offset": self.characters.offset, "unseen": self.characters.unseen}
        if self.standing_in is not None:
            arrays["standing_in.scores"] = self.standing_in.scores
            arrays["standing_in.rows"] = _saved_rows(self.standing_in)[1]
            settings["standing_in"] = {"offset": self.standing_in.offset}
        if self.neighbours is not None:
            arrays["neighbours.centres"] = self.neighbours.centres
            arrays["neighbours.mean"] = self.neighbours.mean
            arrays["neighbours.scores"] = self.neighbours.scores
            settings["neighbours"] = {"offset": self.neighbours.offset}
        return arrays, settings

    @classmethod
    def restore(cls, arrays: Arrays, plain: object) -> "ViewScorer":
        """From what `save` gave; anything else is refused."""
        columns, saved = Columns(arrays), Fields.of(plain, "scorer")
        saved.only("parts", "offsets", "lowest", "encoder", "characters", "standing_in", "neighbours")
        words, names = _words(arrays, "words"), {"words.bytes", "words.ends"}
        kinds, offsets = saved.texts("parts"), saved.items("offsets")
        if len(kinds) != len(offsets):
            raise DamagedPartError("scorer.offsets must have a number for each part")
        given = Fields({str(number): offset for number, offset in enumerate(offsets)}, "scorer.offsets")
        parts = []
        for number, kind in enumerate(kinds):
            parts.append(_part(columns, f"part.{number}", kind, len(words), given.number(str(number))))
            names |= {f"part.{number}.scores", f"part.{number}.rows"}
        characters, standing_in, encoder = None, None, None
        lowest = saved.maybe("lowest", saved.number)
        if (its := saved.maybe("characters", saved.inner)) is not None:
            characters = _characters(columns, _words(arrays, "grams"), len(words), its.only("offset", "unseen"))
            names |= {f"grams.{part}" for part in ("bytes", "ends", "idf", "scores")}
            names |= {"characters.scores", "characters.rows"}
        if (its := saved.maybe("standing_in", saved.inner)) is not None:
            standing_in = _part(columns, "standing_in", "tfidf", len(words), its.only("offset").number("offset"))
            names |= {"standing_in.scores", "standing_in.rows"}
        if (its := saved.maybe("encoder", saved.inner)) is not None:
            encoder = LinearModel(columns.numbers("encoder.coef", (None,)), its.only("offset").number("offset"))
            names |= {"encoder.coef"}
        neighbours = None
        if (its := saved.maybe("neighbours", saved.inner)) is not None:
            if encoder is None:
                raise DamagedPartError("scorer.neighbours must be null where there is no encoder")
            neighbours = _neighbours(columns, len(encoder.coef), its.only("offset").number("offset"))
            names |= {"neighbours.centres", "neighbours.mean", "neighbours.scores"}
        columns.only(*names)
        if (lowest is None) != (encoder is None and characters is None):
            raise DamagedPartError("scorer.lowest must be a number where there is an encoder or pieces of words")
        return cls(
            words,
            tuple(parts),
            encoder,
            -np.inf if lowest is None else lowest,
            characters,
            standing_in,
            neighbours,
        )


def _characters(columns: Columns, grams: pl.Series, words: int, its: Fields) -> CharacterPart:
    pieces = Pieces(grams, columns.numbers("grams.idf", (len(grams),), 0.0))
    return CharacterPart(
        Tfidf(columns.numbers("characters.rows", (words,), 0.0)),
        columns.numbers("characters.scores", (words,)),
        its.number("offset"),
        pieces,
        columns.numbers("grams.scores", (len(grams),)),
        its.number("unseen", 0.0),
    )


def _neighbours(columns: Columns, width: int, offset: float) -> NeighbourPart:
    centres = columns.numbers("neighbours.centres", (None, width), kind=np.float32)
    if not len(centres):
        raise DamagedPartError("the array neighbours.centres must have a row or more")
    mean, scores = columns.numbers("neighbours.mean", (width,)), columns.numbers("neighbours.scores", (len(centres),))
    return NeighbourPart(centres, mean, scores, offset)


def _words(arrays: Arrays, name: str) -> pl.Series:
    own = {part: arrays[f"{name}.{part}"] for part in ("bytes", "ends") if f"{name}.{part}" in arrays}
    words = unpack_words(own)
    if words.is_duplicated().any():
        raise DamagedPartError(f"the array {name}.bytes must hold different words")
    return words


def _part(columns: Columns, name: str, kind: str, length: int, offset: float) -> Part:
    scores = columns.numbers(f"{name}.scores", (length,))
    if kind == "tfidf":
        return Part(Tfidf(columns.numbers(f"{name}.rows", (length,), 0.0)), scores, offset)
    if kind == "shares":
        return Part(Shares(columns.numbers(f"{name}.rows", (length,), 0.0)), scores, offset)
    raise DamagedPartError(f"scorer.parts must be tfidf or shares; got {kind!r:.60}")


def _saved_rows(part: Part) -> tuple[str, NDArray[Any]]:
    if type(part.rows) is Tfidf:
        return "tfidf", part.rows.idf
    if type(part.rows) is Shares:
        return "shares", np.asarray(part.rows.weights, dtype=np.float64)
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
        return np.array_equal(part.rows.weights, other.rows.weights)
    return False


def _least(part: Part) -> float:
    """The least a part can add: shares add up to less than one, and TF-IDF rows have length one."""
    negative = np.minimum(part.scores, 0.0)
    # Not np.linalg.norm, which rounds as the number of threads will have it.
    return -float(np.sqrt((negative**2).sum())) if isinstance(part.rows, Tfidf) else float(negative.min(initial=0.0))
