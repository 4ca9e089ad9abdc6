"""What changed from one ranking to another: which documents entered and left the top and the positives, and why."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.audit.ranked_table import ranking_from
from keysift.errors import InputError, SettingError

if TYPE_CHECKING:
    from keysift.ranking import Ranking

SOURCES = ("The first ranking", "The second ranking")
COLUMNS = (
    *("id", "rank_before", "rank_after", "score_before", "score_after", "decision_before", "decision_after"),
    *("evidence_before", "evidence_after", "text"),
)
"""Of every table of changes; what a ranking without the document cannot tell is null."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two rankings, matched by id; "before" is the first, "after" the second."""

    k: int
    common: int
    """Documents in both rankings."""
    gone: int
    """Documents in the first ranking only."""
    new: int
    """Documents in the second ranking only."""
    spearman: float | None
    """Of the ranks of the common documents, as Kendall's tau; None where there is only one."""
    kendall: float | None
    shared: int
    """Documents in the top k of both."""
    overlap: float
    """The same as a share of the top k."""
    positive_before: int
    positive_after: int
    entered: pl.DataFrame
    """Documents that entered the top k, best first; all four tables have the columns `COLUMNS`."""
    left: pl.DataFrame
    became_positive: pl.DataFrame
    no_longer_positive: pl.DataFrame

    @property
    def changes(self) -> pl.DataFrame:
        """All four tables in one, told apart by the column `change`; a document has a row for each of its changes."""
        tables = {
            f"entered the top {self.k}": self.entered,
            f"left the top {self.k}": self.left,
            "became positive": self.became_positive,
            "no longer positive": self.no_longer_positive,
        }
        return pl.concat(
            table.select("id", pl.lit(change).alias("change"), *COLUMNS[1:]) for change, table in tables.items()
        )


def compare(
    first: pl.DataFrame, second: pl.DataFrame, k: int = 100, *, sources: tuple[str, str] = SOURCES
) -> Comparison:
    """What changed from the first ranking to the second, at the top k and among the positives.

    Each is the output of `keysift rank` or `score`, or of `KeywordClassifier.rank`: documents are matched by `id` or,
    without that column, by `document`. One that only one of the rankings holds may have entered or left, too. `sources`
    are the names of the two in errors.

    >>> first = pl.DataFrame({"id": ["a", "b", "c"], "rank": [1, 2, 3], "score": [3, 2, 1], "decision": [1, 0, 0]})
    >>> second = first.with_columns(id=pl.Series(["b", "a", "c"]), decision=pl.Series([1, 1, 0]))
    >>> found = compare(first, second, k=1)
    >>> found.entered["id"].to_list(), found.left["id"].to_list(), found.became_positive["id"].to_list()
    (['b'], ['a'], ['b'])
    >>> found.spearman, round(found.kendall, 3), found.overlap
    (0.5, 0.333, 0.0)
    """
    if k < 1:
        raise SettingError(f"k must be a whole number above 0; got {k!r}.")
    before, after = (_table(frame, source) for frame, source in zip((first, second), sources, strict=True))
    both = before.join(after, on="id", how="inner", suffix="_after")
    if both.is_empty():
        raise InputError(
            f"{sources[0]} and {sources[1]} have no id in common (the first is {before['id'][0]!r} in one and"
            f" {after['id'][0]!r} in the other); compare two rankings of the same documents, with the same ids."
        )
    ranks = both["rank"].to_numpy(), both["rank_after"].to_numpy()
    order = np.argsort(np.argsort(ranks[1][np.argsort(ranks[0])]))
    shared = int(((ranks[0] <= k) & (ranks[1] <= k)).sum())
    every = _side_by_side(before, after)
    top = [pl.col(f"rank_{side}").le(k).fill_null(False) for side in ("before", "after")]
    positive = [pl.col(f"decision_{side}").eq(1).fill_null(False) for side in ("before", "after")]
    return Comparison(
        k=k,
        common=len(both),
        gone=len(before) - len(both),
        new=len(after) - len(both),
        spearman=spearman(order) if len(both) > 1 else None,
        kendall=kendall(order) if len(both) > 1 else None,
        shared=shared,
        overlap=shared / min(k, max(len(before), len(after))),
        positive_before=int(before["decision"].sum()),
        positive_after=int(after["decision"].sum()),
        entered=every.filter(top[1] & ~top[0]).sort("rank_after"),
        left=every.filter(top[0] & ~top[1]).sort("rank_before"),
        became_positive=every.filter(positive[1] & ~positive[0]).sort("rank_after"),
        no_longer_positive=every.filter(positive[0] & ~positive[1]).sort("rank_before"),
    )


def spearman(order: NDArray[np.int64]) -> float:
    """The correlation of a permutation of 0, 1, … with its places; scipy.stats has it too, and takes a second to load.

    >>> spearman(np.array([1, 0, 2]))
    0.5
    """
    apart = (order - np.arange(len(order))).astype(np.float64)
    return 1 - 6 * float(apart @ apart) / (len(order) * (len(order) ** 2 - 1))


def kendall(order: NDArray[np.int64]) -> float:
    """Kendall's tau of a permutation of 0, 1, … and its places: how many of all pairs are in order, from -1 to 1.

    >>> kendall(np.array([0, 2, 1, 3])), kendall(np.array([2, 1, 0]))
    (0.6666666666666667, -1.0)
    """
    swapped, length = 0, len(order)
    for bit in reversed(range(length.bit_length())):
        # Numbers that agree in all higher bits stand together, in their old order: a 1 before a 0 is a swapped pair.
        ones = order >> bit & 1
        ahead = np.concatenate([[0], np.cumsum(ones)])
        swapped += int((ahead[:-1] - ahead[order >> (bit + 1) << (bit + 1)])[ones == 0].sum())
        order = order[np.argsort(order >> bit, kind="stable")]
    return 1 - 4 * swapped / (length * (length - 1))


def with_reasons(found: Comparison, before: "Ranking", after: "Ranking") -> Comparison:
    """The comparison of two rankings in memory, with the reasons for the documents that changed and for no other."""

    def told(table: pl.DataFrame) -> pl.DataFrame:
        places = table["id"].cast(pl.Int64).to_numpy()
        if not len(places):
            return table
        return table.with_columns(
            before.evidence(places).alias("evidence_before"), after.evidence(places).alias("evidence_after")
        )

    return replace(
        found,
        entered=told(found.entered),
        left=told(found.left),
        became_positive=told(found.became_positive),
        no_longer_positive=told(found.no_longer_positive),
    )


def facts(found: Comparison) -> list[str]:
    """The comparison in sentences.

    >>> one = pl.DataFrame({"id": ["a", "b"], "rank": [1, 2], "score": [2.0, 1.0], "decision": [1, 0]})
    >>> for fact in facts(compare(one, one, k=1)):
    ...     print(fact)
    Both rankings hold the same 2 documents.
    Order: Spearman's rho is 1.000 and Kendall's tau 1.000 (1: the same order, 0: unrelated, -1: reversed).
    Top 1: 1 in both rankings (100%); 0 entered, 0 left.
    Positive: 1 in the first ranking, 1 in the second; 0 became positive, 0 no longer are.
    """
    if found.gone or found.new:
        held = (
            f"{_documents(found.common)} in both rankings, {found.gone:,} only in the first (they can only have left),"
            f" {found.new:,} only in the second (they can only have entered)."
        )
    else:
        held = f"Both rankings hold the same {_documents(found.common)}."
    if found.spearman is None or found.kendall is None:
        order = "Order: a single document in common has none to compare."
    else:
        order = (
            f"Order: Spearman's rho is {found.spearman:.3f} and Kendall's tau {found.kendall:.3f} (1: the same order,"
            " 0: unrelated, -1: reversed)."
        )
    told = [
        held,
        order,
        f"Top {found.k:,}: {found.shared:,} in both rankings ({found.overlap:.0%}); {len(found.entered):,} entered,"
        f" {len(found.left):,} left.",
        f"Positive: {found.positive_before:,} in the first ranking, {found.positive_after:,} in the second;"
        f" {len(found.became_positive):,} became positive, {len(found.no_longer_positive):,} no longer are.",
    ]
    if found.common + max(found.gone, found.new) <= found.k:
        told.append(f"Neither ranking has more than {found.k:,} documents, so all are in the top: choose a smaller k.")
    return told


def _table(frame: pl.DataFrame, source: str) -> pl.DataFrame:
    """Rank, score, decision, evidence and text of every document, by its id."""
    ranking = ranking_from(frame, source=source)
    name = next((name for name in ("id", "document") if name in frame.columns), None)
    if name is None:
        raise InputError(
            f"{source} has no column 'id' to match documents by; give the output of keysift rank or score."
        )
    ids = frame[name].cast(pl.String).fill_null("")
    if (double := ids.filter(ids.is_duplicated())).len():
        raise InputError(
            f"{source} has the id {double[0]!r} {double.eq(double[0]).sum()} times, so its documents cannot be matched;"
            " rank again with a column of unique ids."
        )
    return pl.DataFrame(
        {
            "id": ranking.ids,
            "rank": pl.int_range(1, len(ranking) + 1, eager=True),
            "score": ranking.scores,
            "decision": pl.Series(ranking.decided).cast(pl.Int64),
            "evidence": ranking.evidence.cast(pl.String).fill_null(""),
            "text": ranking.texts,
        }
    )


def _side_by_side(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Every document of either ranking, with what both tell of it."""
    first, second = (
        table.rename({name: f"{name}_{side}" for name in table.columns if name != "id"})
        for table, side in ((before, "before"), (after, "after"))
    )
    text = pl.when(pl.col("text_after").fill_null("") != "").then("text_after").otherwise("text_before")
    joined = first.join(second, on="id", how="full", coalesce=True)
    return joined.with_columns(text=text.fill_null("")).select(COLUMNS)


def _documents(number: int) -> str:
    return f"{number:,} document{'' if number == 1 else 's'}"
