"""What the commands that rank have to say: the top of the ranking, what was learned, where results are."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from keysift.cli.console import counted, note, one_line, plain, say
from keysift.cli.console import output as results_console

if TYPE_CHECKING:
    import polars as pl

    from keysift.classifier import KeywordClassifier
    from keysift.corpus import Corpus

__all__ = ["describe_decisions", "describe_files", "describe_fit", "describe_quality", "describe_threshold", "show_top"]

TOP = 20
BASES = {
    "keywords": "documents found by keywords that were left out",
    "documents": "only one keyword finds documents, so documents were left out instead of keywords",
}
UNKNOWN = (
    "fewer than 5 documents would be left to look for. The ranking rests on the keywords alone; more documents or more"
    " frequent keywords help."
)


def show_top(corpus: "Corpus", ranking: "pl.DataFrame", count: int = TOP) -> None:
    """Print the best documents with their evidence."""
    console = results_console()
    console.print(f"Top {min(count, len(ranking))} of {len(ranking):,}")
    table = Table(expand=True)
    table.add_column("rank", justify="right")
    table.add_column("id", no_wrap=True, overflow="ellipsis", max_width=30)
    table.add_column("score", justify="right")
    table.add_column("decision", justify="right")
    table.add_column("text", ratio=3, no_wrap=True, overflow="ellipsis")
    table.add_column("evidence", ratio=4)
    for row in ranking.head(count).iter_rows(named=True):
        table.add_row(
            str(row["rank"]),
            one_line(str(corpus.ids[row["document"]])),
            f"{row['score']:.2f}",
            str(row["decision"]),
            one_line(corpus.texts[row["document"]]),
            plain(row["evidence"]),
        )
    console.print(table)


def describe_fit(clf: "KeywordClassifier", corpus: "Corpus") -> None:
    """Say what was learned from, and where the prior comes from."""
    labels = clf.pseudo_labels_
    near = sum(len(keyword.expansions) for keyword in clf.keywords_)
    beside = f" and {counted(near, 'word')} near them" if near else ""
    verb = "makes" if len(clf.keywords_) == 1 and not near else "make"
    say(
        f"Learned from {counted(len(corpus.texts), 'document')} ({corpus.source}, column {corpus.texts.name!r}):"
        f" {counted(len(clf.keywords_), 'keyword')}{beside} {verb}"
        f" {counted(len(labels.positives), 'document')} pseudo-positive ({labels.share:.1%})."
    )
    if clf.model != "linear":
        say(f"Trained {counted(clf.history_.steps, 'epoch')} of {clf.model}; {clf.history_.message}.")
    describe_quality(clf)
    describe_threshold(clf)


def describe_quality(clf: "KeywordClassifier") -> None:
    """Say how good the ranking is as far as that can be known without a label, and which keyword to doubt."""
    from keysift.keywords.quality import UNCLEAR
    from keysift.keywords.table import UNTOLD, doubts

    if clf.quality_ is None:  # a network
        return
    if clf.quality_.basis == "nothing":
        say(f"Quality without labels: unknown; {UNKNOWN}")
    else:
        say(f"Quality without labels: {clf.quality_.value:.2f} ({BASES[clf.quality_.basis]}; 0.5 is chance).")
    for doubt in clf.quality_.doubts:
        note(doubt)
    rows = clf.keyword_table()
    for doubt in doubts(rows):
        note(f"Ambiguous: {doubt}; keysift keywords shows its documents.")
    if not clf.quality_.within_chance and any(row.verdict == UNCLEAR for row in rows):
        note(f"Whether one of the keywords misleads cannot be told, because {UNTOLD[UNCLEAR]}.")


def describe_threshold(clf: "KeywordClassifier") -> None:
    """Say where the threshold comes from and what may be expected of it, so that nobody takes a guess for knowledge."""
    prior = clf.prior_estimate_
    if clf.threshold == "prior":
        advice = "" if prior.basis in ("given", "audit") else " Give --prior if you know it, or audit the ranking."
        say(f"The threshold comes from the prior {prior}.{advice}")
    else:
        say(f"The prior is {prior}.")
    if clf.expected_.count:
        say(
            f"To be expected above the threshold: precision {clf.expected_.precision}, recall {clf.expected_.recall},"
            f" from {clf.posterior_.basis}."
        )


def describe_decisions(clf: "KeywordClassifier", ranking: "pl.DataFrame", prior: float | None = None) -> None:
    """Say how many documents are positive, and by which score or prior."""
    positive = int(ranking["decision"].sum())
    where = f"the threshold {clf.threshold_:.3f}" if prior is None else f"the cut for the prior {prior:g}"
    say(f"{positive:,} of {counted(len(ranking), 'document')} score above {where}.")


def describe_files(output: Path | None, report: Path | None, model_out: Path | None) -> None:
    """Say what was written where, and what to do next."""
    if output:
        say(f"Wrote the ranking to {output}.")
    if report:
        say(f"Wrote the report to {report}; open it in a browser.")
    if model_out:
        model = shlex.quote(str(model_out))
        say(f"Wrote the model to {model_out}. Next: keysift score {model} NEW_DOCUMENTS")
    elif output:
        ranking = shlex.quote(str(output))
        say(f"Next, to know how good it is: keysift audit start {ranking} -o audit.csv")
        say(f"If a column of it has labels: keysift evaluate {ranking} --label COLUMN")
    else:
        say("Next: -o ranking.csv writes the whole ranking.")
