"""The ranking as a list: filtered, searched, a page of it, one document of it, and a text that is not in it."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.ranker import KeywordRanker
from keysift.text.visible import visible
from keysift.web.ranked import Ranked
from keysift.web.ranking_schemas import Cell, Document, Filter, Row, Rows, Scored
from keysift.web.refusals import NotThereError
from keysift.web.texts import LONGEST, Marker, reasons_of


def rows(ranked: Ranked, start: int, n: int, filter: Filter, search: str) -> Rows:
    """So many rows from `start` on, of those that pass."""
    chosen = _chosen(ranked, filter, search)
    return Rows(total=len(chosen), start=start, rows=rows_of(ranked, chosen[start : start + n]))


def rows_of(ranked: Ranked, documents: NDArray[np.int64]) -> list[Row]:
    """The rows of some documents."""
    corpus, ranking = ranked.opened.corpus, ranked.result.ranking
    if not len(documents):
        return []
    texts = corpus.texts.gather(documents)
    shown = []
    for row, text in zip(ranking.rows(documents).iter_rows(named=True), texts, strict=True):
        reasons = reasons_of(row["words"], row["contributions"])
        shown.append(
            Row(
                document=row["document"],
                id=visible(str(corpus.ids[row["document"]])),
                rank=row["rank"],
                score=row["score"],
                chance=row["chance"],
                positive=bool(row["decision"]),
                answer=ranked.answer(row["document"]),
                pieces=ranked.marker.passage(text, row["matched"], reasons),
                matched=row["matched"],
                reasons=reasons,
            )
        )
    return shown


def check_place(ranked: Ranked, document: int) -> int:
    """The place of a document, if there is one."""
    if not 0 <= document < len(ranked.opened.prepared):
        raise NotThereError(
            f"There is no document {document}; give its place in the file, from 0 to {len(ranked.opened.prepared) - 1}."
        )
    return document


def document(ranked: Ranked, place: int) -> Document:
    """One document as a whole, with its reasons."""
    opened = ranked.opened
    row = rows_of(ranked, np.array([check_place(ranked, place)]))[0]
    same = np.flatnonzero(opened.groups == opened.groups[place])
    return Document(
        **{**row.model_dump(), "pieces": ranked.marker.whole(opened.corpus.texts[place], row.matched, row.reasons)},
        cells=cells_of(ranked, place),
        note=ranked.reviewer.state.notes().get(int(opened.numbers[place]), ""),
        same=[int(other) for other in same if other != place],
    )


def cells_of(ranked: Ranked, place: int) -> list[Cell]:
    """The other columns of a document; those that are read are its text."""
    opened = ranked.opened
    return [
        Cell(name=visible(name), text=visible(str(value)[:LONGEST]))
        for name, value in opened.corpus.columns.row(place, named=True).items()
        if name not in opened.columns.text and value not in (None, "")
    ]


def scored(clf: KeywordRanker, ranked: Ranked, text: str) -> Scored:
    """What the model makes of a text."""
    row = clf.rank(pl.Series("text", [text])).row(0, named=True)
    reasons = reasons_of(row["words"], row["contributions"])
    marker: Marker = ranked.marker
    return Scored(
        score=row["score"],
        chance=row["chance"],
        positive=bool(row["decision"]),
        rank=int((ranked.result.ranking.scores > row["score"]).sum()) + 1,
        pieces=marker.whole(text, row["matched"], reasons),
        matched=row["matched"],
        reasons=reasons,
    )


def _chosen(ranked: Ranked, filter: Filter, search: str) -> NDArray[np.int64]:
    """The places of the documents that pass, in the order in which they are shown."""
    wanted = search.strip().lower()
    answers = ranked.answers() if filter in ("answered", "disagreeing") else None
    key = (ranked.result, filter, wanted, None if answers is None else tuple(answers.items()))
    return ranked.memo.once("chosen", key, lambda: _filtered(ranked, filter, wanted, answers or {}))


def _filtered(ranked: Ranked, filter: Filter, search: str, answers: dict[int, str]) -> NDArray[np.int64]:
    ranking = ranked.result.ranking
    order = ranking.order
    matched = np.diff(ranking.matches.indptr) > 0
    excluded = ranked.result.matches.excluded
    passing = np.ones(len(ranking), dtype=bool)
    if filter == "unmatched":
        passing = ~matched & ~ranking.empty & ~excluded
    elif filter == "low":
        passing, order = matched & ~ranking.positive, order[::-1]  # the most surprising first
    elif filter == "answered":
        passing = _at(list(answers), len(ranking))
    elif filter == "disagreeing":
        others = [
            place
            for place, answer in answers.items()
            if answer in ("y", "n") and (answer == "y") != bool(ranking.positive[place])
        ]
        passing = _at(others, len(ranking))
    if search:
        passing = passing & ranked.opened.letters.str.contains(search, literal=True).to_numpy()
    return order[passing[order]]


def _at(places: list[int], documents: int) -> NDArray[np.bool_]:
    there = np.zeros(documents, dtype=bool)
    there[places] = True
    return there
