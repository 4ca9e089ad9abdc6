"""The ranking that is audited, and the fingerprint by which it is known again."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import InputError
from keysift.keywords.syntax import NO_WORDS, WITH_EXCLUDED

NEEDED = ("rank", "score", "decision")
MODEL = "model"
"""The column with the fingerprint of the model that ranked."""
FINGERPRINT = re.compile(r"k[0-9a-f]{12}")
LENGTH = 12
"""Characters of a fingerprint: an accident makes two rankings the same once in 10^14."""


@dataclass(frozen=True, eq=False)
class RankedTable:
    """Documents in the order of their rank, best first."""

    ids: pl.Series
    """As text, and unique: where an id is there twice, the second is `id#2`."""
    scores: NDArray[np.float64]
    decided: NDArray[np.bool_]
    """Whether each document is above the cut; those that are come first."""
    pseudo_positive: NDArray[np.bool_] | None
    """Whether each document is in the pseudo-positive set, where the ranking tells."""
    texts: pl.Series
    evidence: pl.Series
    named: pl.DataFrame
    """The words that the evidence names, as the table has them: what matched and what moved the score."""
    empty: int = 0
    """How many documents are left out, because they hold no word and nobody need read them."""
    model: str | None = None
    """The fingerprint of the model that ranked, where the table tells."""

    def __len__(self) -> int:
        return len(self.scores)

    def words(self, place: int) -> list[str]:
        """The words that the evidence of a document names; a keyword that also moved its score once only."""
        cells = (self.named[name][place] for name in self.named.columns)
        return list(dict.fromkeys(word for cell in cells for word in word_list(cell)))

    @property
    def above(self) -> int:
        """How many documents are above the cut."""
        return int(self.decided.sum())

    @cached_property
    def fingerprint(self) -> str:
        """A hash of ids, ranks, scores and decisions; whatever else the table holds does not matter.

        Scores are rounded: a spreadsheet keeps fifteen digits of them.
        """
        digest = hashlib.sha256()
        digest.update("\x1f".join(self.ids.to_list()).encode("utf-8", "surrogatepass"))  # in the order of the ranks
        digest.update(np.ascontiguousarray(np.round(self.scores, 9) + 0.0, dtype="<f8").tobytes())
        digest.update(self.decided.astype(np.uint8).tobytes())
        return digest.hexdigest()[:LENGTH]


def ranking_from(frame: pl.DataFrame, *, texts: pl.Series | None = None, source: str = "The ranking") -> RankedTable:
    """A ranking from the output of `keysift rank` or `score`, or of `KeywordClassifier.rank`.

    `texts` has one text a row; without it the column `text` is taken, where there is one. Empty documents are left out.

    >>> frame = pl.DataFrame({"id": ["b", "a"], "rank": [2, 1], "score": [0.5, 1.5], "decision": [0, 1]})
    >>> ranking = ranking_from(frame)
    >>> ranking.ids.to_list(), ranking.above, ranking.fingerprint
    (['a', 'b'], 1, 'c69f9a66e885')
    """
    if lacking := [name for name in NEEDED if name not in frame.columns]:
        raise InputError(
            f"{source} has no column {' and no column '.join(map(repr, lacking))}; give the output of keysift rank or"
            " score."
        )
    if frame.is_empty():
        raise InputError(f"{source} holds no document; give the output of keysift rank or score.")
    numbers = frame.select(pl.col(NEEDED).cast(pl.Float64, strict=False))
    wrong = ~numbers["score"].is_finite().fill_null(False) | ~numbers["decision"].is_in([0.0, 1.0]).fill_null(False)
    if wrong.any():
        raise InputError(
            f"{source}: row {int(wrong.arg_true()[0]) + 1} has no number in 'score', or neither 0 nor 1 in 'decision';"
            " give the output of keysift rank or score."
        )
    if numbers["rank"].sort().to_list() != list(range(1, len(frame) + 1)):
        raise InputError(
            f"{source}: the column 'rank' does not count from 1 to {len(frame)}, so rows are missing or double; give"
            " the whole output of keysift rank or score."
        )
    order = numbers["rank"].arg_sort()
    decided = numbers["decision"].gather(order).to_numpy() == 1
    if (np.diff(decided.astype(np.int64)) > 0).any():
        raise InputError(
            f"{source}: a document with decision 1 ranks below one with decision 0, so there is no cut; give"
            " the output of keysift rank or score as it was written."
        )
    empty = without_words(frame)
    if empty.any():
        held = ~empty[order.to_numpy()]
        order, decided = order.filter(pl.Series(held)), decided[held]
    names = (
        frame["id"] if "id" in frame.columns else frame["document"] if "document" in frame.columns else frame["rank"]
    )
    if texts is None:
        texts = frame["text"] if "text" in frame.columns else pl.Series("text", [""] * len(frame))
    return RankedTable(
        ids=unique_ids(names.gather(order)),
        scores=numbers["score"].gather(order).to_numpy(),
        decided=decided,
        pseudo_positive=_pseudo_positive(frame, source, order),
        texts=texts.gather(order).cast(pl.String).fill_null(""),
        evidence=frame["evidence"].gather(order) if "evidence" in frame.columns else _empty(len(frame)),
        named=pl.DataFrame([frame[name].gather(order) for name in ("matched", "words") if name in frame.columns]),
        empty=int(empty.sum()),
        model=_model(frame),
    )


def without_words(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Which documents of a ranking hold no word, or an excluded one: they come last, and have no say.

    >>> frame = pl.DataFrame({"evidence": ["moved by: goal +1.00", "", "no words"]})
    >>> without_words(frame).tolist()
    [False, False, True]
    """
    if "evidence" not in frame.columns:
        return np.zeros(len(frame), dtype=np.bool_)
    said = frame["evidence"].cast(pl.String).fill_null("")
    silent = ((said == NO_WORDS) | said.str.starts_with(WITH_EXCLUDED)).to_numpy()
    return np.asarray(silent & ~silent.all())


def word_list(given: object) -> list[str]:
    """A list of words, as a table has it: a list, or JSON; empty where it is neither.

    >>> word_list('["ice hockey", "puck"]'), word_list(pl.Series(["goal"])), word_list("goal"), word_list(None)
    (['ice hockey', 'puck'], ['goal'], [], [])
    """
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return []
    words = list(given) if isinstance(given, list | pl.Series) else []
    return [word for word in words if isinstance(word, str)]


def _empty(length: int) -> pl.Series:
    return pl.Series("evidence", [""] * length)


def unique_ids(ids: pl.Series) -> pl.Series:
    """Ids as text; where one is there twice, the second is `id#2`.

    >>> unique_ids(pl.Series([7, 8, 7])).to_list()
    ['7', '8', '7#2']
    """
    text = ids.cast(pl.String).fill_null("").alias("id")
    if not text.is_duplicated().any():
        return text
    numbered = pl.DataFrame({"id": text}).with_columns(time=pl.int_range(1, pl.len() + 1).over("id"))
    unique = numbered.select(
        id=pl.when(pl.col("time") == 1).then(pl.col("id")).otherwise(pl.format("{}#{}", "id", "time"))
    )["id"]
    if unique.is_duplicated().any():  # somebody has an id that looks like ours
        return pl.Series("id", [f"rank {rank}" for rank in range(1, len(text) + 1)])
    return unique


def _model(frame: pl.DataFrame) -> str | None:
    """The one model of a table, if it has such a column; an older keysift wrote none."""
    if MODEL not in frame.columns or frame.schema[MODEL] != pl.String:
        return None
    named = frame[MODEL].unique().to_list()
    return named[0] if len(named) == 1 and FINGERPRINT.fullmatch(named[0] or "") else None


def _pseudo_positive(frame: pl.DataFrame, source: str, order: pl.Series) -> NDArray[np.bool_] | None:
    if "pseudo_positive" not in frame.columns:
        return None
    values = frame["pseudo_positive"].cast(pl.Float64, strict=False)
    wrong = ~values.is_in([0.0, 1.0]).fill_null(False)
    if wrong.any():
        raise InputError(
            f"{source}: row {int(wrong.arg_true()[0]) + 1} has neither 0 nor 1 in 'pseudo_positive'; give the output of"
            " keysift rank or score."
        )
    return np.asarray(values.gather(order).to_numpy() == 1)
