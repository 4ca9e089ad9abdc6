"""`thresholds`: what every cut of a ranking is expected to give."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from keysift.cli.console import output as results_console
from keysift.cli.console import say, stages
from keysift.cli.options import Encoder, Quiet
from keysift.cli.ranking import check_targets
from keysift.cli.reading import DocumentOptions, Input
from keysift.cli.tables import terminal_table

BAR = 8
"""With it the table fits into 80 columns."""


def thresholds(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model from `keysift fit`.", show_default=False)],
    source: Input,
    *,
    reading: DocumentOptions,
    prior: Annotated[
        float | None, typer.Option(help="Share of these documents that is relevant, if known.", show_default=False)
    ] = None,
    encoder: Encoder = None,
    points: Annotated[int, typer.Option(min=2, max=10_000, help="How many cuts to show.")] = 20,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the sweep here (.csv, .tsv, .xlsx, .jsonl, .parquet).", show_default=False
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Write a page with the curves here (.html).", show_default=False)
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Show the expected precision, recall and F1 of cuts from the top of the ranking to its end."""
    from keysift.corpus.writing import write
    from keysift.loading import load_as
    from keysift.present.sweep import sweep_facts, write_sweep
    from keysift.ranker import KeywordRanker

    check_targets([source, model], output, plot, None)
    clf = load_as(KeywordRanker, model, encoder=encoder)
    with stages(quiet) as progress:
        corpus = reading.read(source, progress, remembered=clf.columns_)
        ranking = clf.rank(corpus.texts, embeddings=corpus.vectors, prior=prior, progress=progress)
    facts = sweep_facts(clf, ranking, points, prior)
    bars = ["█" * round(BAR * f1) + (" best" if best else "") for f1, best in zip(facts.f1, facts.best, strict=True)]
    rows = tuple((*row, bar) for row, bar in zip(facts.table.rows, bars, strict=True))
    results_console().print(terminal_table(replace(facts.table, heads=(*facts.table.heads, ""), rows=rows)))
    if output:
        write(facts.sweep, output)
    if plot:
        write_sweep(plot, facts, source=corpus.source)
    if not quiet:
        say(facts.basis)
        say(facts.threshold)
        for path, what in ((output, "sweep"), (plot, "page with the curves")):
            if path:
                say(f"Wrote the {what} to {path}.")
        cut = f"keysift decide {shlex.quote(str(model))} --threshold recall=0.95 -o decided.keysift"
        say(f"Next: {cut} (or max_f1, top=100, a cut of the table); an audit knows more.")
