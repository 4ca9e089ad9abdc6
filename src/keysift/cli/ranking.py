"""`rank`, `fit` and `score`: from documents to a ranking, to a model, and from a model to a ranking."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.asking import ask_about, check_asking
from keysift.cli.console import say, stages
from keysift.cli.options import Encoder, Keywords, Learning, Network, Output, Quiet, Report, Work
from keysift.cli.reading import DocumentOptions, Input
from keysift.cli.scale import ScaleOptions, look_at
from keysift.cli.showing import (
    describe_cut,
    describe_files,
    describe_fit,
    describe_language,
    describe_threshold,
    show_top,
    tell_doubts,
)
from keysift.errors import OutputError, warn
from keysift.files.atomic import check_target
from keysift.present.wording import counted
from keysift.streaming.scale import DataSet

if TYPE_CHECKING:
    import polars as pl

    from keysift.corpus.documents import Corpus
    from keysift.features.prepared import Prepared, Progress
    from keysift.ranker import KeywordRanker


def rank(
    source: Input,
    *,
    keywords: Keywords,
    reading: DocumentOptions,
    learning: Learning,
    network: Network,
    output: Output = None,
    report: Report = None,
    model_out: Annotated[
        Path | None, typer.Option(help="Write the model here, for `keysift score`.", show_default=False)
    ] = None,
    ask: Annotated[
        int | None,
        typer.Option(
            help="Ask about this many documents, one key each, and decide by the answers.", show_default=False
        ),
    ] = None,
    work: Work = None,
    scale: ScaleOptions,
    quiet: Quiet = False,
) -> None:
    """Learn from the documents and rank them, with a reason for every hit."""
    clf = learning.ranker(keywords, network)
    if ask is not None:
        check_asking(ask)
    inputs: list[str | Path] = [source, *learning.files(keywords)]
    check_targets(inputs, output, report, model_out, network.checkpoint, work)
    with look_at(source, reading, scale.scale(), work, output) as look:
        if look.plan is not None:
            from keysift.cli.streaming import rank_streamed, refuse_above_sample

            refuse_above_sample(scale.scale(), report, ask)
            rank_streamed(
                look,
                clf,
                reading,
                scale.scale(),
                work,
                output=output,
                report=report,
                model_out=model_out,
                quiet=quiet,
            )
            return
        with stages(quiet) as progress:
            corpus = reading.read(source, progress, spooled=look.spooled)
    with stages(quiet) as progress:
        check_writable(corpus, output)
        with prepared_corpus(clf, corpus, work, progress) as prepared:
            ranking = clf.fit_rank(prepared, progress=progress)
    if ask is not None:
        ranking = ask_about(clf, corpus, ranking, ask, output or report or model_out)
    with stages(quiet) as progress:
        progress("Writing", 0.0)
        if output:
            _write(corpus, ranking, output, clf)
        if report:
            from keysift.present.report import write_report

            write_report(report, clf, corpus, ranking)
        if model_out:
            clf.remember(corpus.read_from).save(model_out)
        progress("Writing", 1.0)
    if not output:
        show_top(corpus, ranking)
    tell_doubts(clf)
    if not quiet:
        describe_language(prepared, learning.language)
        describe_fit(clf, corpus)
        describe_cut(clf, ranking)
        describe_files(output, report, model_out)


def fit(
    source: Input,
    *,
    keywords: Keywords,
    model_out: Annotated[
        Path,
        typer.Option("--model-out", "-o", help="Write the model here, for `keysift score`.", show_default=False),
    ],
    reading: DocumentOptions,
    learning: Learning,
    network: Network,
    work: Work = None,
    scale: ScaleOptions,
    quiet: Quiet = False,
) -> None:
    """Learn from the documents and save the model."""
    clf = learning.ranker(keywords, network)
    inputs: list[str | Path] = [source, *learning.files(keywords)]
    check_targets(inputs, None, None, model_out, network.checkpoint, work)
    with look_at(source, reading, scale.scale(), work, None) as look:
        if look.plan is not None:
            from keysift.cli.streaming import fit_streamed

            fit_streamed(look, clf, reading, scale.scale(), work, model_out=model_out, quiet=quiet)
            return
        with stages(quiet) as progress:
            corpus = reading.read(source, progress, spooled=look.spooled)
    with stages(quiet) as progress:
        with prepared_corpus(clf, corpus, work, progress) as prepared:
            clf.fit(prepared, progress=progress)
        clf.remember(corpus.read_from).save(model_out)
    tell_doubts(clf)
    if not quiet:
        describe_language(prepared, learning.language)
        describe_fit(clf, corpus)
        describe_threshold(clf)
        describe_files(None, None, model_out)


def score(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model from `keysift fit`.", show_default=False)],
    source: Input,
    *,
    reading: DocumentOptions,
    prior: Annotated[
        float | None,
        typer.Option(help="Share of these documents that is relevant; cuts anew for it.", show_default=False),
    ] = None,
    encoder: Encoder = None,
    output: Output = None,
    report: Report = None,
    work: Work = None,
    scale: ScaleOptions,
    quiet: Quiet = False,
) -> None:
    """Rank new documents with a saved model, at its stored threshold or at that for another prior."""
    from keysift.loading import load_as
    from keysift.ranker import KeywordRanker

    if output is not None and output.name == "-":
        from keysift.cli.line_by_line import score_lines

        score_lines(load_as(KeywordRanker, model, encoder=encoder), source, reading, prior)
        return
    check_targets([source, model], output, report, None, work=work)
    clf = load_as(KeywordRanker, model, encoder=encoder)
    with look_at(source, reading, scale.scale(), work, output) as look:
        if look.plan is not None:
            from keysift.cli.streaming import refuse_above_sample, score_streamed

            refuse_above_sample(scale.scale(), report, None)
            score_streamed(
                look,
                clf,
                model,
                reading,
                scale.scale(),
                work,
                prior=prior,
                encoder=encoder,
                output=output,
                report=report,
                quiet=quiet,
            )
            return
        with stages(quiet) as progress:
            corpus = reading.read(source, progress, remembered=clf.columns_, spooled=look.spooled)
    with stages(quiet) as progress:
        check_writable(corpus, output)
        ranking = clf.rank(corpus.texts, embeddings=corpus.vectors, prior=prior, progress=progress)
        if output:
            _write(corpus, ranking, output, clf)
        if report:
            from keysift.present.report import write_report

            write_report(report, clf, corpus, ranking, prior=prior)
    if not output:
        show_top(corpus, ranking)
    if not quiet:
        empty = int((ranking["score"] == clf.scorer_.floor).sum())
        come = "comes" if empty == 1 else "come"
        blank = f" {counted(empty, 'document')}, empty or excluded, {come} last." if empty else ""
        say(f"Read {counted(len(corpus.texts), 'document')} ({corpus.source}, column {corpus.texts.name!r}).{blank}")
        describe_cut(clf, ranking, prior)
        describe_files(output, report, None)


@contextmanager
def prepared_corpus(
    clf: "KeywordRanker", corpus: "Corpus", work: Path | None, progress: "Progress"
) -> "Iterator[Prepared]":
    """The corpus made ready, from the work folder as far as it is there, and kept in it if the block ends well."""
    from keysift.workfolder import identity_of, keep, restore

    prepared = clf.prepare(corpus.texts, embeddings=corpus.vectors, progress=progress)
    if work is None:
        yield prepared
        return
    identity = identity_of(prepared, corpus.source, clf.vectors)
    prepared = restore(work, prepared, identity)
    yield prepared
    progress("Keeping the corpus", 0.0)
    try:
        keep(work, prepared, identity)
    except OutputError as error:  # a full disk, say: what was learned is worth more
        warn(f"The work folder is left as it is. {error}")
    progress("Keeping the corpus", 1.0)


def check_targets(
    inputs: list[str | Path],
    output: Path | None,
    report: Path | None,
    model_out: Path | None,
    checkpoint: Path | None = None,
    work: Path | None = None,
) -> None:
    """Find out before any work starts whether every result can be written, and that none replaces an input."""
    if work is not None:
        from keysift.workfolder import check_folder

        check_folder(work)
    if isinstance(output, DataSet):
        from keysift.streaming.dataset import check_dataset

        check_dataset(output)
        output = None
    elif output:
        from keysift.corpus.writing import check_output

        check_output(output)
    if report and report.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"Cannot write the page {report}: its name must end in .html; rename it.")
    targets = [path for path in (output, report, model_out, checkpoint) if path]
    for target in targets:
        check_target(target)
        for source in map(Path, inputs):
            if _is_same(source, target):
                raise OutputError(f"Cannot write {target}: it is an input, which would be lost; choose another name.")
            if _is_folder(source) and source.resolve() in target.resolve().parents:
                raise OutputError(
                    f"Cannot write {target}: it is inside the input folder {source} and would be a document the next"
                    " time; choose another folder."
                )
    if len({path.resolve() for path in targets}) < len(targets):
        raise OutputError("Two results have the same file name; give each its own.")


def check_writable(corpus: "Corpus", output: Path | None) -> None:
    """Find out before the long work whether the columns of the input can be written with the ranking."""
    if output:
        from keysift.corpus.writing import check_columns

        check_columns(corpus.columns, output)


def _is_folder(source: Path) -> bool:
    try:
        return source.is_dir()
    except (OSError, ValueError):  # a long list of keywords is no file's name
        return False


def _is_same(source: Path, target: Path) -> bool:
    try:
        return target.samefile(source)
    except (OSError, ValueError):  # one of them is not there, or no file's name at all
        return False


def _write(corpus: "Corpus", ranking: "pl.DataFrame", path: Path, clf: "KeywordRanker") -> None:
    import polars as pl

    from keysift.corpus.reading import found_again
    from keysift.corpus.writing import with_other_columns, write

    order = ranking["document"]
    results = pl.DataFrame({"id": corpus.ids.gather(order)}).hstack(
        ranking.select("rank", "score", "decision", "chance", "pseudo_positive", "evidence", "matched", "words")
    )
    results = results.with_columns(model=pl.lit(clf.model_.fingerprint))  # an audit asks which model ranked
    others = corpus.columns[order]
    if not found_again(with_other_columns(results, others), corpus.read_from, path):
        # So that every command finds the text without being told.
        results = results.with_columns(corpus.texts.gather(order).alias("text"))
    write(with_other_columns(results, others), path)
