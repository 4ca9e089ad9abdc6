"""What each keyword finds, whether it fits the others, and which words to add or drop."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp

from keysift.corpus.documents import Corpus
from keysift.keywords.beliefs import AMBIGUOUS, UNCLEAR
from keysift.keywords.exclusions import Exclusions
from keysift.keywords.suggestions import Suggestion
from keysift.keywords.syntax import WITH_EXCLUDED
from keysift.keywords.table import EXCLUDED, ExpansionRow, KeywordRow, excluded_rows, keyword_table
from keysift.learn.quality import Quality
from keysift.present.facts import Listing, Section, Sentence, Table
from keysift.present.folding import folded
from keysift.present.wording import counted, on_one_line
from keysift.ranker import KeywordRanker
from keysift.text.scripts import spelled

HEADS = (
    *("keyword", "weight", "documents", "share", "vector", "alone", "agreement", "verdict"),
    "nearest words: similarity (documents)",
)
NUMBERS = (1, 2, 3, 5, 6)
EXAMPLE = 160
"""Characters of an example that are shown."""
COMMON = 0.5
"""A keyword in a larger share of the documents hardly tells them apart."""
ALONE = "alone = documents with this keyword, or a word near it, and none of the other keywords."
AGREEMENT = (
    "agreement = how often its documents rank above documents without a keyword when this keyword is left out; 0.5 is"
    " chance. An ambiguous keyword is less than half as far above chance as the others: an everyday word, or one with"
    " several meanings."
)


@dataclass(frozen=True)
class KeywordFacts:
    """All there is to say about the keywords without a label."""

    table: Table
    """Without columns that say nothing."""
    columns: tuple[str, ...]
    """What the columns mean."""
    examples: tuple[Listing, ...]
    to_add: tuple[Sentence, ...]
    doubts: tuple[Sentence, ...]
    """What to warn of (`keyword_doubts`)."""

    @property
    def section(self) -> Section:
        """All of it, as a part of a page."""
        return Section(
            "Keywords",
            tuple(map(Sentence, self.columns)),
            table=self.table,
            listings=self.examples,
            remarks=(*self.to_add, *self.doubts),
        )


def keyword_facts(
    rows: Sequence[KeywordRow],
    corpus: Corpus,
    *,
    learned: bool = False,
    suggestions: Sequence[Suggestion] = (),
    quality: Quality | None = None,
) -> KeywordFacts:
    """The facts about a keyword table; `learned` is whether something was learned, and `quality` how well."""
    agreement = AGREEMENT if learned and any(row.belief is not None for row in rows) else None
    return KeywordFacts(
        table=_table(rows),
        columns=((ALONE,) if _several(rows) else ()) + ((agreement,) if agreement else ()),
        examples=tuple(_examples(row, corpus) for row in rows if row.examples),
        to_add=_to_add(suggestions),
        doubts=keyword_doubts(rows, quality),
    )


def keyword_frame(rows: Sequence[KeywordRow], corpus: Corpus) -> pl.DataFrame:
    """The keyword table as data, a row a keyword; nearest words, and the ids of examples, as lists."""
    return pl.DataFrame(
        {
            "keyword": [row.keyword for row in rows],
            "weight": [None if row.verdict == EXCLUDED else row.weight for row in rows],
            "documents": [row.documents for row in rows],
            "share": [row.share for row in rows],
            "alone": [row.alone for row in rows],
            "belief": [row.belief for row in rows],
            "verdict": [row.verdict for row in rows],
            "nearest": [[near.word for near in row.expansions] for row in rows],
            "examples": [[str(corpus.ids[at]) for at in row.examples] for row in rows],
        },
        schema_overrides={
            "weight": pl.Float64,
            "belief": pl.Float64,
            "nearest": pl.List(pl.String),
            "examples": pl.List(pl.String),
        },
    )


def rows_in(clf: KeywordRanker, ranking: pl.DataFrame) -> list[KeywordRow]:
    """The keyword table of a ranking, from what matched in each document; examples are its best documents."""
    out = pl.col("evidence").str.starts_with(WITH_EXCLUDED)
    matches = _matches_in(ranking.filter(~out), [spelled(term) for term in clf.terms_], len(ranking))
    named = [f"-{spelled(keyword.term)}" for keyword in clf.excluded_]
    excluded = Exclusions(clf.excluded_, _matches_in(ranking.filter(out), named, len(ranking)), np.empty(0, np.int64))
    nearness = np.empty(len(ranking))
    nearness[ranking["document"].to_numpy()] = -ranking["rank"].to_numpy().astype(np.float64)
    # What the other keywords make of one is known only after a fit; a model file does not hold it.
    rows = keyword_table(clf.keywords_, clf.terms_, matches, nearness, getattr(clf, "keyword_beliefs_", None))
    return [*rows, *excluded_rows(excluded)]


def _matches_in(ranking: pl.DataFrame, names: Sequence[str], documents: int) -> sp.csr_array:
    """Which of the names each document matched."""
    column_of = {name: column for column, name in enumerate(names)}
    found = ranking.select("document", "matched").explode("matched").drop_nulls()
    if not len(found):
        return sp.csr_array((documents, len(names)))
    columns = found["matched"].replace_strict(column_of, return_dtype=pl.Int64).to_numpy()
    places = (found["document"].to_numpy(), columns)
    return sp.csr_array((np.ones(len(found)), places), shape=(documents, len(names)))


def keyword_doubts(rows: Sequence[KeywordRow], quality: Quality | None = None) -> tuple[Sentence, ...]:
    r"""All that there is to warn of: keywords that find nothing, are common, or mislead.

    >>> rare = KeywordRow("curling", 1.0, 0, 0.0, True, (), 0, ())
    >>> also = KeywordRow("also", 1.0, 90, 0.9, True, (), 80, ())
    >>> print(*keyword_doubts([rare, also]), sep="\n")
    “curling” finds no document.
    “also” is in 90% of the documents, so it hardly tells them apart.
    """
    return (*_idle(rows), *misleading(rows, quality))


def misleading(rows: Sequence[KeywordRow], quality: Quality | None) -> tuple[Sentence, ...]:
    """Keywords that are common, or not what the others find.

    Where the quality is within chance, which is a warning of its own, nothing is said of single ones.
    """
    told = quality is None or not quality.within_chance or any(row.verdict == UNCLEAR for row in rows)
    return (*common(rows), *(to_drop(rows) if told else ()))


def common(rows: Sequence[KeywordRow]) -> tuple[Sentence, ...]:
    """Which keywords are in most documents; a sentence each."""
    return tuple(
        Sentence(f"“{row.keyword}” is in {row.share:.0%} of the documents, so it {_result(row)}.")
        for row in rows
        if row.share > COMMON
    )


def _result(row: KeywordRow) -> str:
    return "excludes most of them" if row.verdict == EXCLUDED else "hardly tells them apart"


def _idle(rows: Sequence[KeywordRow]) -> tuple[Sentence, ...]:
    some_excluded = any(row.verdict == EXCLUDED and row.documents for row in rows)

    def finds(row: KeywordRow) -> str:
        if row.verdict == EXCLUDED:
            return "excludes no document"
        return "finds no document without an excluded keyword" if some_excluded else "finds no document"

    return tuple(Sentence(f"“{row.keyword}” {finds(row)}.") for row in rows if not row.documents)


def to_drop(rows: Sequence[KeywordRow]) -> tuple[Sentence, ...]:
    """Which keywords or nearest words mislead, or that it cannot be told; a sentence each.

    >>> row = KeywordRow("also", 1.0, 90, 0.5, True, (), 80, (), belief=0.52, verdict=AMBIGUOUS)
    >>> print(*to_drop([row]))
    Consider dropping “also” (agreement 0.52): its documents are not what the other keywords find.
    """
    if any(row.verdict == UNCLEAR for row in rows):
        return (
            Sentence(
                "Which keywords to drop cannot be told: they hardly find each other's documents, so they may describe"
                " several topics."
            ),
        )
    reason = "its documents are not what the other keywords find"
    words = {f"“{row.keyword}”": row.belief for row in rows if row.verdict == AMBIGUOUS}
    near = {
        near.word: (f"“{near.word}”, near “{row.keyword}”", near.belief)
        for row in rows
        for near in row.expansions
        if near.verdict == AMBIGUOUS
    }
    return tuple(
        Sentence(f"Consider dropping {name} (agreement {belief:.2f}): {reason}.")
        for name, belief in (*words.items(), *near.values())
    )


def _to_add(suggestions: Sequence[Suggestion]) -> tuple[Sentence, ...]:
    if not suggestions:
        return ()
    words = "; ".join(map(suggestion_words, suggestions))
    text = f"{words}. They are over-represented in the top documents by the factor shown."
    return (Sentence(text, lead="Words to add:"),)


def suggestion_words(suggestion: Suggestion) -> str:
    """A word to add, and why.

    >>> suggestion_words(Suggestion("goalie", 8.43, 120)), suggestion_words(Suggestion("puck", np.inf, 7))
    ('goalie (8.4 times, in 120 documents)', 'puck (nowhere else, in 7 documents)')
    """
    factor = f"{suggestion.lift:.1f} times" if np.isfinite(suggestion.lift) else "nowhere else"
    return f"{suggestion.word} ({factor}, in {counted(suggestion.documents, 'document')})"


def _table(rows: Sequence[KeywordRow]) -> Table:
    """The rows as text; a column in which all say the same that a newcomer expects is left out."""
    whole = Table(HEADS, tuple(map(_cells, rows)), NUMBERS)
    expanded = any(row.expansions for row in rows)
    telling = {
        "weight": any(row.weight != 1 for row in rows),
        "vector": expanded,
        "alone": _several(rows),
    }
    return whole.only(
        tuple(
            column
            for column, head in enumerate(HEADS)
            if telling.get(head, True) and any(row[column] for row in whole.rows)
        )
    )


def _several(rows: Sequence[KeywordRow]) -> bool:
    """Whether there are several keywords; those that are excluded do not count."""
    return sum(row.verdict != EXCLUDED for row in rows) > 1


def _cells(row: KeywordRow) -> tuple[str, ...]:
    out = row.verdict == EXCLUDED
    return (
        row.keyword,
        "" if out else f"{row.weight:g}",
        f"{row.documents:,}",
        f"{row.share:.2%}",
        "" if out else "yes" if row.in_vectors else "no",
        "" if out else f"{row.alone:,}",
        "" if row.belief is None else f"{row.belief:.2f}",
        row.verdict,
        ", ".join(map(_near, row.expansions)),
    )


def _near(row: ExpansionRow) -> str:
    found = f"{row.documents:,}" if row.used else "stop word"
    doubt = f", {AMBIGUOUS}" if row.verdict == AMBIGUOUS else ""
    return f"{row.word} {row.similarity:.2f} ({found}{doubt})"


def _examples(row: KeywordRow, corpus: Corpus) -> Listing:
    lines = []
    for first, *others in folded(corpus.texts.gather(list(row.examples)), len(row.examples)):
        at = row.examples[first]
        more = f" (and {len(others)} more that {'says' if len(others) == 1 else 'say'} the same)" if others else ""
        lines.append(f"{corpus.ids[at]}: {on_one_line(corpus.texts[at], EXAMPLE)}{more}")
    return Listing(row.keyword, tuple(lines))
