"""`rank`, `fit` and `score`: from documents to a ranking, to a model, and from a model to a ranking."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.atomic import check_target
from keysift.cli.console import counted, say, stages
from keysift.cli.options import Input, Keywords, Learning, Network, Output, Quiet, Reading
from keysift.cli.showing import describe_decisions, describe_files, describe_fit, describe_threshold, show_top
from keysift.errors import OutputError

if TYPE_CHECKING:
    import polars as pl

    from keysift.corpus import Corpus

__all__ = ["check_targets", "fit", "rank", "score"]


def rank(
    source: Input,
    *,
    keywords: Keywords,
    reading: Reading,
    learning: Learning,
    network: Network,
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
    clf = learning.classifier(keywords, network)
    inputs: list[str | Path] = [source, keywords, learning.vectors, learning.stop_words]
    check_targets(inputs, output, report, model_out, network.checkpoint)
    with stages(quiet) as progress:
        corpus = reading.read(source, progress)
        ranking = clf.fit_rank(corpus.texts, embeddings=corpus.vectors, progress=progress)
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
        describe_files(output, report, model_out)


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
    network: Network,
    quiet: Quiet = False,
) -> None:
    """Learn from the documents and save the model."""
    clf = learning.classifier(keywords, network)
    inputs: list[str | Path] = [source, keywords, learning.vectors, learning.stop_words]
    check_targets(inputs, None, None, model_out, network.checkpoint)
    with stages(quiet) as progress:
        corpus = reading.read(source, progress)
        clf.fit(corpus.texts, embeddings=corpus.vectors, progress=progress)
        clf.save(model_out)
    if not quiet:
        describe_fit(clf, corpus)
        describe_files(None, None, model_out)


def score(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model from `keysift fit`.", show_default=False)],
    source: Input,
    *,
    reading: Reading,
    prior: Annotated[
        float | None,
        typer.Option(help="Share of these documents that is relevant; cuts anew for it.", show_default=False),
    ] = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Rank new documents with a saved model, at its stored threshold or at that for another prior."""
    from keysift.classifier import load

    check_targets([source, model], output, None, None)
    clf = load(model)
    with stages(quiet) as progress:
        corpus = reading.read(source, progress)
        ranking = clf.rank(corpus.texts, embeddings=corpus.vectors, prior=prior, progress=progress)
        if output:
            _write(corpus, ranking, output)
    if not output:
        show_top(corpus, ranking)
    if not quiet:
        say(f"Read {counted(len(corpus.texts), 'document')} ({corpus.source}, column {corpus.texts.name!r}).")
        if prior is None:
            describe_threshold(clf)
        describe_decisions(clf, ranking, prior)
        describe_files(output, None, None)


def check_targets(
    inputs: list[str | Path],
    output: Path | None,
    report: Path | None,
    model_out: Path | None,
    checkpoint: Path | None = None,
) -> None:
    """Find out before any work starts whether every result can be written, and that none replaces an input."""
    from keysift.corpus import check_output

    if output:
        check_output(output)
    if report and report.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"Cannot write the page {report}: its name must end in .html; rename it.")
    targets = [path for path in (output, report, model_out, checkpoint) if path]
    for target in targets:
        check_target(target)
        for source in map(Path, inputs):
            if _is_same(source, target):
                raise OutputError(f"Cannot write {target}: it is an input, which would be lost; choose another name.")
            if source.is_dir() and source.resolve() in target.resolve().parents:
                raise OutputError(
                    f"Cannot write {target}: it is inside the input folder {source} and would be a document the next"
                    " time; choose another folder."
                )
    if len({path.resolve() for path in targets}) < len(targets):
        raise OutputError("Two results have the same file name; give each its own.")


def _is_same(source: Path, target: Path) -> bool:
    try:
        return target.samefile(source)
    except (OSError, ValueError):  # one of them is not there, or no file's name at all
        return False


def _write(corpus: "Corpus", ranking: "pl.DataFrame", path: Path) -> None:
    import polars as pl

    from keysift.corpus import with_other_columns, write

    order = ranking["document"]
    results = pl.DataFrame({"id": corpus.ids.gather(order)}).hstack(
        ranking.select("rank", "score", "decision", "pseudo_positive", "evidence")
    )
    write(with_other_columns(results, corpus.columns[order]), path)
