"""The report: all there is to say about a ranking, on one page."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from keysift.corpus.documents import Corpus
from keysift.keywords.exclusions import typed
from keysift.keywords.parsing import spelled_out
from keysift.keywords.syntax import WITH_EXCLUDED
from keysift.present.cut_facts import CutFacts, cut_facts
from keysift.present.facts import Document, Fact, Page, Section, Sentence, Table
from keysift.present.folding import LOOKED_AT, folded, say_the_same
from keysift.present.highlight import passage
from keysift.present.histogram import SCALE, score_histogram
from keysift.present.html import write_page
from keysift.present.keyword_facts import keyword_facts, rows_in
from keysift.present.quality_facts import quality_facts
from keysift.present.settings_facts import settings_section
from keysift.present.wording import counted
from keysift.ranker import KeywordRanker
from keysift.risk.losses import get_loss

if TYPE_CHECKING:
    from keysift.streaming.excerpt import Excerpt

SHOWN = 20
EXCLUDED = pl.col("evidence").str.starts_with(WITH_EXCLUDED)
"""Documents with an excluded keyword."""


def write_excerpt_report(
    path: str | Path, clf: KeywordRanker, excerpt: "Excerpt", *, prior: float | None = None
) -> None:
    """Write the page about a ranking of which only some documents are at hand."""
    page = report_page(clf, excerpt.corpus, excerpt.ranking, prior)
    of_all = {
        "documents": excerpt.documents,
        "with a keyword": excerpt.with_keyword,
        "decided positive": excerpt.positive,
        "decided positive, provisional": excerpt.positive,
    }
    headline = (
        replace(fact, value=f"{of_all[fact.name]:,}") if fact.name in of_all else fact
        for fact in page.headline
        if fact.name != "with an excluded keyword"
    )
    shown = Section("What is shown", (Sentence(str(excerpt)),))
    write_page(path, replace(page, headline=tuple(headline), sections=(shown, *page.sections)))


def write_report(
    path: str | Path, clf: KeywordRanker, corpus: Corpus, ranking: pl.DataFrame, *, prior: float | None = None
) -> None:
    """Write the page about a ranking of the documents of `corpus`, by a fitted or a loaded `clf`.

    `ranking` is from `fit_rank` or `rank`, and `prior` the one that `rank` was given, if any.
    """
    write_page(path, report_page(clf, corpus, ranking, prior))


def report_page(clf: KeywordRanker, corpus: Corpus, ranking: pl.DataFrame, prior: float | None = None) -> Page:
    """The page as facts."""
    cut = cut_facts(clf, ranking, prior)
    rows = rows_in(clf, ranking)
    quality = quality_facts(clf.quality_) if clf.quality_ else None  # a network has none
    missed = ranking.filter(pl.col("matched").list.len() == 0)
    excluded = ranking.filter(EXCLUDED)
    sections = (
        _scores(ranking, cut),
        _split(clf, corpus, ranking),
        quality.section if quality else None,
        keyword_facts(
            rows,
            corpus,
            learned=quality is not None,
            suggestions=clf.suggested_keywords_,
            quality=clf.quality_,
        ).section,
        _documents("Top documents", "The best of the whole ranking.", ranking, corpus),
        _documents(
            "Best documents without any keyword",
            "These hold neither a keyword nor a word near one: a keyword search would have missed them.",
            missed,
            corpus,
        ),
        settings_section(clf),
    )
    return Page(
        title=f"keysift: {corpus.source}",
        heading="Ranking by keywords",
        source=corpus.source,
        lead=Sentence(spelled_out(typed(clf.keywords_, clf.excluded_)), lead="Keywords:"),
        headline=(
            Fact(f"{len(ranking):,}", "documents"),
            Fact(f"{len(ranking) - len(missed) - len(excluded):,}", "with a keyword"),
            *([Fact(f"{len(excluded):,}", "with an excluded keyword")] if len(excluded) else []),
            cut.prior,
            Fact(f"{cut.threshold:.3f}", "threshold"),
            Fact(f"{cut.positive:,}", "decided positive" + (", provisional" if cut.provisional else "")),
            *cut.figures,
            *([Fact(quality.value, "quality without labels")] if quality and quality.value else []),
        ),
        sections=tuple(section for section in sections if section is not None),
    )


def learned_from(clf: KeywordRanker, corpus: Corpus) -> tuple[str, ...]:
    """What a fit learned from, and how the training of a network went."""
    labels = clf.pseudo_labels_
    near = sum(len(keyword.expansions) for keyword in clf.keywords_)
    beside = f" and {counted(near, 'word')} near them" if near else ""
    verb = "makes" if len(clf.keywords_) == 1 and not near else "make"
    excluded = 0 if clf.exclusions_ is None else int(clf.exclusions_.documents.sum())
    empty = clf.n_empty_ - excluded
    left_out = f"; {empty:,} more {'is' if empty == 1 else 'are'} empty and left out" if empty else ""
    learned = (
        f"Learned from {counted(len(corpus.texts) - empty, 'document')}"
        f" ({corpus.source}, column {corpus.texts.name!r}{left_out}):"
        f" {counted(len(clf.keywords_), 'keyword')}{beside} {verb}"
        f" {counted(len(labels.positives), 'document')} pseudo-positive ({labels.share:.1%})."
    )
    verb = "holds" if excluded == 1 else "hold"
    out = f"{counted(excluded, 'document')} {verb} an excluded keyword: negative, and last in the ranking."
    said = (learned, out) if excluded else (learned,)
    return said if clf.model == "linear" else (*said, trained(clf))


def trained(clf: KeywordRanker) -> str:
    """How the training of a network went."""
    name = clf.model if isinstance(clf.model, str) else type(clf.model).__name__
    return f"Trained {counted(clf.history_.steps, 'epoch')} of {name}; {clf.history_.message}."


def _scores(ranking: pl.DataFrame, cut: CutFacts) -> Section:
    # Empty and excluded documents have no score of their own, only a place at the end.
    scored = ranking.filter((pl.col("words").list.len() > 0) & ~EXCLUDED)
    scored = scored if len(scored) else ranking
    matched = (scored["matched"].list.len() > 0).to_numpy()
    expected = f"{cut.expected} Answers narrow the ranges." if cut.expected and cut.provisional else cut.expected
    expected = cut.expected if cut.unlike else expected
    return Section(
        "Scores",
        (
            Sentence(f"Documents with a keyword (or a word near one) are above the axis, the others below it. {SCALE}"),
            *(Sentence(text) for text in (cut.origin, expected) if text),
            Sentence("To cut elsewhere, nothing need be learned again: use keysift decide, or decide in Python."),
        ),
        drawing=score_histogram(scored["score"].to_numpy(), matched, cut.threshold),
    )


def _split(clf: KeywordRanker, corpus: Corpus, ranking: pl.DataFrame) -> Section:
    matched, positive = pl.col("matched").list.len() > 0, pl.col("pseudo_positive") == 1
    parts = (
        ("with a keyword", ranking.filter(positive)),
        ("with a keyword, but among the least similar", ranking.filter(matched & ~positive & ~EXCLUDED)),
        ("with an excluded keyword", ranking.filter(EXCLUDED)),
        ("without a keyword", ranking.filter(~matched & ~positive)),
    )
    rows = tuple(
        (name, f"{len(part):,}", f"{len(part) / len(ranking):.1%}", f"{int(part['decision'].sum()):,}")
        for name, part in parts
        if len(part)
    )
    empty = int((corpus.texts.str.strip_chars() == "").sum())
    verb = "is" if empty == 1 else "are"
    return Section(
        "How the documents split",
        (*_how_learned(clf), *([Sentence(f"{counted(empty, 'document')} {verb} empty.")] if empty else [])),
        table=Table(("documents", "number", "share", "decided positive"), rows, numbers=(1, 2, 3)),
    )


def _how_learned(clf: KeywordRanker) -> tuple[Sentence, ...]:
    """What the split was for; nothing where the model was learned from other documents."""
    if not hasattr(clf, "history_"):
        return ()
    lesson = (
        "A symmetric loss learns a ranking in spite of them."
        if get_loss(clf.loss).symmetric
        else "This loss is not symmetric and suffers from them; sigmoid would not."
    )
    split = (
        "Documents with a keyword count as positive, all others as negative (Algorithm 1 of the paper). Both sets hold"
        f" mistakes. {lesson}"
    )
    if clf.model != "linear":
        return (Sentence(split), Sentence(trained(clf)))
    before, after = clf.history_.risk[0], clf.history_.risk[-1]
    steps = counted(clf.history_.steps, "step")
    if after > before:  # the penalty counts as well: the first guess had larger coefficients
        return (Sentence(f"{split} The risk between the two is {after:.3f} after {steps}."),)
    return (Sentence(f"{split} The risk between the two fell from {before:.3f} to {after:.3f} in {steps}."),)


def _documents(title: str, text: str, ranking: pl.DataFrame, corpus: Corpus) -> Section | None:
    if not len(ranking):
        return None
    best = ranking.head(LOOKED_AT)
    documents = []
    for place, *others in folded(corpus.texts.gather(best["document"]), SHOWN):
        row = best.row(place, named=True)
        moved = list(zip(row["words"], row["contributions"], strict=True))
        documents.append(
            Document(
                rank=f"{row['rank']:,}",
                id=str(corpus.ids[row["document"]]),
                score=f"{row['score']:.2f}",
                positive=bool(row["decision"]),
                passage=passage(
                    corpus.texts[row["document"]],
                    row["matched"],
                    [word for word, by in moved if by > 0],
                    [word for word, by in moved if by < 0],
                ),
                evidence=row["evidence"],
                others=say_the_same(best["rank"].gather(others).to_list()),
            )
        )
    if any(document.others for document in documents):
        among = f", among the best {LOOKED_AT:,} of them" if len(ranking) > LOOKED_AT else ""
        text = f"{text} Of documents that say the same, the first is shown and the others are counted{among}."
    return Section(title, (Sentence(text),), documents=tuple(documents))
