"""The sections of the report, put together and written whole."""

import textwrap
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl

from keysift import __version__
from keysift.classifier import KeywordClassifier
from keysift.corpus import Corpus
from keysift.keywords.table import HEADS, NEAREST, NUMBERS, KeywordRow, to_drop
from keysift.losses import Loss, get_loss
from keysift.report.highlight import passage
from keysift.report.histogram import score_histogram
from keysift.report.html import Child, element
from keysift.report.shell import table, write_page
from keysift.settings import Settings
from keysift.training import Training
from keysift.views import check_views

__all__ = ["write_report"]

SHOWN = 20
EXAMPLE_CHARACTERS = 160
QUALITY_TITLE = "How good is it, without a label"
BELIEF = {
    "keywords": " “belief” is how often its documents rank above others with this keyword hidden and left out: 0.5 is"
    " chance. An ambiguous keyword is less than half as far above chance as the others: an everyday word, or one of"
    " many senses. Where the keywords hardly believe in each other, all of that is unclear.",
    "documents": " “belief” is how often its documents rank above others with the keyword hidden, learned from the"
    " other half of them: 0.5 is chance.",
}


def write_report(path: str | Path, clf: KeywordClassifier, corpus: Corpus, ranking: pl.DataFrame) -> None:
    """Write the page about a ranking that `clf` made of the documents it was fitted on."""
    missed = ranking.filter(pl.col("matched").list.len() == 0)
    body = element(
        "body",
        *_head(clf, corpus, ranking),
        *_distribution(clf, ranking),
        *_split(clf, corpus, ranking),
        *_quality(clf),
        *_keywords(clf, corpus),
        *_documents("Top documents", "The best of the whole ranking.", ranking, corpus),
        *_documents(
            "Best documents without any keyword",
            "Neither a keyword nor a word near one is in these: a keyword search would have missed them.",
            missed,
            corpus,
        ),
        *_settings(clf),
    )
    write_page(path, f"keysift: {corpus.source}", body)


PRIORS = {"given": "as given", "heuristic": "a heuristic", "estimate": "estimated", "audit": "from the audit"}


def _head(clf: KeywordClassifier, corpus: Corpus, ranking: pl.DataFrame) -> list[ET.Element]:
    tiles = (
        (f"{len(ranking):,}", "documents"),
        (f"{len(clf.pseudo_labels_.positives):,}", "pseudo-positive"),
        (f"{clf.prior_:.3g}", f"prior, {PRIORS[clf.prior_estimate_.basis]}"),
        (f"{clf.threshold_:.3f}", "threshold"),
        (f"{int(ranking['decision'].sum()):,}", "decided positive"),
    )
    return [
        element("h1", "Ranking by keywords"),
        element("p", f"{corpus.source} · keysift {__version__}"),
        element(
            "p",
            "Keywords: ",
            element("b", ", ".join(keyword.text for keyword in clf.keywords_)),
            class_="lead",
        ),
        element(
            "div",
            *(element("div", element("b", value), element("span", name), class_="tile") for value, name in tiles),
            class_="tiles",
        ),
    ]


def _distribution(clf: KeywordClassifier, ranking: pl.DataFrame) -> list[ET.Element]:
    # Empty documents have no score of their own, only a place at the end.
    scored = ranking.filter(pl.col("words").list.len() > 0)
    scored = scored if len(scored) else ranking
    matched = (scored["matched"].list.len() > 0).to_numpy()
    if clf.threshold == "prior":
        basis = f"the threshold leaves the share {clf.prior_:.3g} above it. The prior is {clf.prior_estimate_}."
    else:
        basis = "the threshold is as asked for, not from a prior."
    return [
        element("h2", "Scores"),
        element("p", f"Documents with a keyword (or a word near one) above, without below; {basis}"),
        score_histogram(scored["score"].to_numpy(), matched, clf.threshold_),
        element(
            "p",
            f"To be expected above the threshold: precision {clf.expected_.precision}, recall {clf.expected_.recall},"
            f" from {clf.posterior_.basis}. The intervals are those of the prior; an audit makes them narrow.",
        ),
    ]


def _split(clf: KeywordClassifier, corpus: Corpus, ranking: pl.DataFrame) -> list[ET.Element]:
    labels = clf.pseudo_labels_
    positive = len(labels.positives)
    similar = int((labels.similarity > 0).sum())
    empty = int((corpus.texts.str.strip_chars() == "").sum())
    decided = np.zeros(len(ranking), dtype=bool)
    decided[ranking["document"].to_numpy()] = ranking["decision"].to_numpy() == 1
    rows = (
        ("Pseudo-positive: similar to the keywords", positive, int(decided[labels.positive].sum())),
        (
            "Pseudo-negative: similar, but among the least",
            similar - positive,
            int(decided[(labels.similarity > 0) & ~labels.positive].sum()),
        ),
        ("Pseudo-negative: no keyword", len(ranking) - similar, int(decided[labels.similarity <= 0].sum())),
    )
    lesson = (
        "a symmetric loss learns a ranking in spite of them."
        if get_loss(clf.loss).symmetric
        else "this loss is not symmetric and pays for them; sigmoid would not."
    )
    return [
        element("h2", "How the documents split"),
        element(
            "p",
            "Algorithm 1 of the paper takes documents as positive by their similarity with the keywords. Both sets hold"
            f" mistakes; {lesson}" + (f" {empty:,} documents are empty." if empty else ""),
        ),
        table(
            ("set", "documents", "share", "decided positive"),
            [(name, f"{count:,}", f"{count / len(ranking):.1%}", f"{yes:,}") for name, count, yes in rows],
            numbers=(1, 2, 3),
        ),
    ]


def _quality(clf: KeywordClassifier) -> list[ET.Element]:
    quality = clf.quality_
    if quality is None:
        return []
    if quality.basis == "nothing":
        text = (
            "Nothing could be measured: fewer than 5 documents would be left to look for. The ranking rests on the"
            " keywords alone; more documents or more frequent keywords help."
        )
        return [element("h2", QUALITY_TITLE), element("p", text)]
    left_out = (
        "some keywords are hidden and left out, the others learn, and this is how often a document with a left-out"
        " keyword ranks above one without any keyword"
        if quality.basis == "keywords"
        else "only one keyword finds documents, so half of those that hold it are left out with the keyword hidden, the"
        " other half learns, and this is how often one of them ranks above a document without the keyword"
    )
    return [
        element("h2", QUALITY_TITLE),
        element(
            "p",
            element("b", f"{quality.value:.2f}"),
            f": {left_out}; 0.5 is chance, 1 is perfect. It compares ways of learning on these documents and"
            " views; it cannot compare encoders, and it is no estimate of the true AUC, but lower, because not every"
            " document with a keyword is relevant, nor every other one irrelevant.",
        ),
        *(element("p", element("b", "Doubtful. "), doubt) for doubt in quality.doubts),
        element(
            "p",
            "It also decides how far the ranking goes beyond the keywords: several ways of learning were tried, and"
            + (" none is beyond chance, so it has no say." if quality.ignored else " each counts by its quality.")
            + (
                f" Neighbours of documents with a keyword tell where left-out ones are with an AUC of"
                f" {quality.neighbours:.2f}; below 0.6 they are not trusted."
                if np.isfinite(quality.neighbours)
                else ""
            )
            + (
                f" Documents whose keywords are denied were encoded as well; the way from there finds documents with"
                f" hidden keywords with an AUC of {quality.denial:.2f}, and is"
                f" {'followed' if quality.denial_followed else 'not followed'}."
                if np.isfinite(quality.denial)
                else ""
            ),
        ),
        table(
            ("learned from", "quality", "weight in the ranking"),
            [
                (
                    str(trial.way),
                    f"{trial.quality:.3f}",
                    f"{trial.weight:.0%}",
                )
                for trial in quality.trials
            ],
            numbers=(1, 2),
        ),
    ]


def _keywords(clf: KeywordClassifier, corpus: Corpus) -> list[ET.Element]:
    rows = clf.keyword_table()

    def examples(row: KeywordRow) -> ET.Element:
        texts = (" ".join(corpus.texts[at].split()) for at in row.examples)
        items = (
            f"{corpus.ids[at]}: {textwrap.shorten(text, EXAMPLE_CHARACTERS, placeholder=' …')}"
            for at, text in zip(row.examples, texts, strict=True)
        )
        return element("ul", *(element("li", item) for item in items), class_="examples")

    cells: list[tuple[Child, ...]] = [(*row.cells[:-1], element("div", row.cells[-1], examples(row))) for row in rows]
    near = f"{NEAREST}; examples" if any(row.expansions for row in rows) else "examples"
    return [
        element("h2", "Keywords"),
        element(
            "p",
            "“alone” counts the documents that hold this keyword or a word near it, and none of another keyword's."
            + (BELIEF.get(clf.quality_.basis, "") if clf.quality_ else "")
            + " The examples are documents it pulls in.",
        ),
        table((*HEADS[:-1], near), cells, numbers=NUMBERS),
        *_advice(clf, rows),
    ]


def _advice(clf: KeywordClassifier, rows: list[KeywordRow]) -> list[ET.Element]:
    """Which words to add and which to drop."""
    words = "; ".join(word.cell for word in clf.suggested_keywords_)
    added = (
        element("p", element("b", "Words to add: "), f"{words}. So much more often do the best documents hold them.")
        if words
        else element("p", element("b", "Words to add: "), "none that stands out.")
    )
    if not clf.keyword_beliefs_:
        return [added]
    return [added, element("p", element("b", "To drop: "), f"{to_drop(rows)}.")]


def _documents(title: str, text: str, ranking: pl.DataFrame, corpus: Corpus) -> list[ET.Element]:
    nodes = [element("h2", title), element("p", text if len(ranking) else "There are none.")]
    for row in ranking.head(SHOWN).iter_rows(named=True):
        moved = list(zip(row["words"], row["contributions"], strict=True))
        nodes.append(
            element(
                "article",
                element(
                    "header",
                    element("b", f"{row['rank']}"),
                    element("span", str(corpus.ids[row["document"]])),
                    element("span", f"score {row['score']:.2f}"),
                    *([element("span", "positive", class_="yes")] if row["decision"] else []),
                ),
                element(
                    "p",
                    *passage(
                        corpus.texts[row["document"]],
                        row["matched"],
                        [word for word, by in moved if by > 0],
                        [word for word, by in moved if by < 0],
                    ),
                ),
                element("div", row["evidence"], class_="why"),
            )
        )
    return nodes


def _settings(clf: KeywordClassifier) -> list[ET.Element]:
    loss = get_loss(clf.loss)
    settings = clf.settings or Settings()
    rows: list[tuple[str, Any]] = [
        ("loss", f"{loss.name} ({_symmetry(loss)})"),
        ("prior", clf.prior),
        ("threshold", clf.threshold),
        ("vectors", getattr(clf.vectors, "name", clf.vectors)),
        *_views(clf),
        ("model", clf.model if isinstance(clf.model, str) else type(clf.model).__name__),
        ("random_state", clf.random_state),
        *((name, value) for name, value in vars(settings).items()),
        *_training(clf),
        (
            "steps of the optimiser" if clf.model == "linear" else "epochs",
            f"{clf.history_.steps} ({clf.history_.message})",
        ),
        ("corrupted risk", f"{clf.history_.risk[0]:.4f} before, {clf.history_.risk[-1]:.4f} after"),
    ]
    return [
        element("h2", "Settings"),
        table(("name", "value"), [(name, str(value)) for name, value in rows]),
    ]


def _views(clf: KeywordClassifier) -> list[tuple[str, Any]]:
    if clf.model != "linear":
        return []
    names = [view if isinstance(view, str) else view.name for view in check_views(clf.views)]
    encoder = "none" if clf.encoded_length_ is None else clf.encoder_.name if clf.encoder_ else "vectors made elsewhere"
    return [("views", ", ".join(names)), ("encoder", encoder)]


def _training(clf: KeywordClassifier) -> list[tuple[str, Any]]:
    return [] if clf.model == "linear" else list((clf.training or Training()).plain().items())


def _symmetry(loss: Loss) -> str:
    if not loss.symmetric:
        return "not symmetric: no guarantee"
    return "symmetric" if loss.symmetric_within == np.inf else f"symmetric for margins up to {loss.symmetric_within:g}"
