"""`rank`, `fit` and `score`: from documents to a ranking, to a model, and from a model to a ranking."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.atomic import check_folder
from keysift.cli.console import output as results_console
from keysift.cli.console import say, stages
from keysift.cli.options import Input, Keywords, Learning, Output, Quiet, Reading
from keysift.errors import OutputError

if TYPE_CHECKING:
    import polars as pl

    from keysift.classifier import KeywordClassifier
    from keysift.corpus import Corpus

__all__ = ["describe_fit", "fit", "rank", "score", "show_top"]

TOP = 20


def rank(
    source: Input,
    *,
    keywords: Keywords,
    reading: Reading,
    learning: Learning,
    output: Output = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page about the ranking here (.html).", show_default=False)
    ] = None,
    model_out: Annotated[
        Path | None, typer.Option(help="Write the model here, for `keysift score`.", show_default=False)
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Learn from the documents and rank them, with a reason for every hit."""
    clf = learning.classifier(keywords)
    _check_targets(source, output, report, model_out)
    with stages(quiet) as progress:
        progress("Reading", 0.0)
        corpus = reading.read(source)
        progress("Reading", 1.0)
        ranking = clf.fit_rank(corpus.texts, progress=progress)
        progress("Writing", 0.0)
        if output:
            _write(corpus, ranking, output)
        if report:
            from keysift.report import write_report

            write_report(report, clf, corpus, ranking)
        if model_out:
            clf.save(model_out)
        progress("Writing", 1.0)
    if not output:
        show_top(corpus, ranking)
    if not quiet:
        describe_fit(clf, corpus)
        describe_decisions(clf, ranking)
        _describe_files(output, report, model_out)


def fit(
    source: Input,
    *,
    keywords: Keywords,
    model_out: Annotated[
        Path,
        typer.Option("--model-out", "-o", help="Write the model here, for `keysift score`.", show_default=False),
    ],
    reading: Reading,
    learning: Learning,
    quiet: Quiet = False,
) -> None:
    """Learn from the documents and save the model."""
    clf = learning.classifier(keywords)
    _check_targets(source, None, None, model_out)
    with stages(quiet) as progress:
        progress("Reading", 0.0)
        corpus = reading.read(source)
        progress("Reading", 1.0)
        clf.fit(corpus.texts, progress=progress)
        clf.save(model_out)
    if not quiet:
        describe_fit(clf, corpus)
        _describe_files(None, None, model_out)


def score(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model from `keysift fit`.", show_default=False)],
    source: Input,
    *,
    reading: Reading,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Rank new documents with a saved model, at its stored threshold."""
    from keysift.classifier import load

    _check_targets(source, output, None, None)
    clf = load(model)
    with stages(quiet) as progress:
        progress("Reading", 0.0)
        corpus = reading.read(source)
        progress("Reading", 1.0)
        ranking = clf.rank(corpus.texts, progress=progress)
        if output:
            _write(corpus, ranking, output)
    if not output:
        show_top(corpus, ranking)
    if not quiet:
        say(f"Read {len(corpus.texts):,} documents from {corpus.source}.")
        describe_decisions(clf, ranking)
        _describe_files(output, None, None)


def _check_targets(source: str, output: Path | None, report: Path | None, model_out: Path | None) -> None:
    """Find out before any work starts whether every result can be written."""
    from keysift.corpus import check_output

    if output:
        check_output(output)
    targets = [path for path in (output, report, model_out) if path]
    for path in targets:
        check_folder(path)
        if source != "-" and path.exists() and Path(source).exists() and path.samefile(source):
            raise OutputError(f"Cannot write {path}: it is the input, which would be lost; choose another name.")
    if len({path.resolve() for path in targets}) < len(targets):
        raise OutputError("Two results have the same file name; give each its own.")


def _write(corpus: "Corpus", ranking: "pl.DataFrame", path: Path) -> None:
    import polars as pl

    from keysift.corpus import with_other_columns, write

    order = ranking["document"]
    results = pl.DataFrame({"id": corpus.ids.gather(order)}).hstack(
        ranking.select("rank", "score", "decision", "evidence")
    )
    write(with_other_columns(results, corpus.columns[order]), path)


def show_top(corpus: "Corpus", ranking: "pl.DataFrame", count: int = TOP) -> None:
    """Print the best documents with their evidence."""
    from rich.table import Table
    from rich.text import Text

    console = results_console()
    console.print(f"Top {min(count, len(ranking))} of {len(ranking):,}")
    table = Table(expand=True)
    table.add_column("rank", justify="right")
    table.add_column("id", overflow="fold", max_width=20)
    table.add_column("score", justify="right")
    table.add_column("decision", justify="right")
    table.add_column("text", ratio=3, no_wrap=True, overflow="ellipsis")
    table.add_column("evidence", ratio=4)
    for row in ranking.head(count).iter_rows(named=True):
        table.add_row(
            str(row["rank"]),
            Text(str(corpus.ids[row["document"]])),
            f"{row['score']:.2f}",
            str(row["decision"]),
            Text(" ".join(corpus.texts[row["document"]][:300].split())),
            Text(row["evidence"]),
        )
    console.print(table)


def describe_fit(clf: "KeywordClassifier", corpus: "Corpus") -> None:
    """Say what was learned from, and where the prior comes from."""
    labels = clf.pseudo_labels_
    near = sum(len(keyword.expansions) for keyword in clf.keywords_)
    say(
        f"Learned from {len(corpus.texts):,} documents ({corpus.source}): {len(clf.keywords_)} keywords and {near}"
        f" words near them make {len(labels.positives):,} documents pseudo-positive ({labels.share:.1%})."
    )
    if clf.threshold == "prior":
        given = clf.prior != "heuristic"
        say(
            f"The threshold comes from the prior {clf.prior_:.3f}, "
            + ("as given." if given else "a heuristic (the share of pseudo-positives); give --prior if you know it.")
        )


def describe_decisions(clf: "KeywordClassifier", ranking: "pl.DataFrame") -> None:
    """Say how many documents are positive, and by which score."""
    positive = int(ranking["decision"].sum())
    say(f"{positive:,} of {len(ranking):,} documents score above the threshold {clf.threshold_:.3f}.")


def _describe_files(output: Path | None, report: Path | None, model_out: Path | None) -> None:
    if output:
        say(f"Wrote the ranking to {output}.")
    if report:
        say(f"Wrote the report to {report}; open it in a browser.")
    if model_out:
        say(f"Wrote the model to {model_out}. Next: keysift score {model_out} NEW_DOCUMENTS")
    if not (output or model_out):
        say("Next: -o ranking.csv writes the whole ranking, --report report.html a page about it.")
