"""`thresholds`: what every cut of a ranking may be expected to give."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from keysift.cli.console import counted, say, stages
from keysift.cli.console import output as results_console
from keysift.cli.options import Input, Quiet, Reading
from keysift.cli.ranking import check_targets

__all__ = ["thresholds"]

BAR = 8
"""With it the table fits into 80 columns."""


def thresholds(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model from `keysift fit`.", show_default=False)],
    source: Input,
    *,
    reading: Reading,
    prior: Annotated[
        float | None, typer.Option(help="Share of these documents that is relevant, if known.", show_default=False)
    ] = None,
    points: Annotated[int, typer.Option(min=2, help="How many cuts to show.")] = 20,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the sweep here (.csv, .tsv, .jsonl, .parquet).", show_default=False),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Write a page with the curves here (.html).", show_default=False)
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Show what cuts from the top of the ranking to its end may be expected to give: precision, recall, F1."""
    from keysift.classifier import load
    from keysift.corpus import write
    from keysift.report import write_sweep

    check_targets([source, model], output, plot, None)
    clf = load(model)
    with stages(quiet) as progress:
        corpus = reading.read(source, progress)
        ranking = clf.rank(corpus.texts, embeddings=corpus.vectors, prior=prior, progress=progress)
    posterior = clf.posterior_ if prior is None else clf.posterior_.for_prior(clf.prior_, prior)
    sweep = posterior.sweep(ranking["score"].to_numpy(), points)
    chosen = int(ranking["decision"].sum())
    told = str(clf.prior_estimate_) if prior is None else f"{prior:g}, as given"
    console = results_console()
    table = Table()
    for name in ("cut", "count", "precision", "recall", "F1"):
        table.add_column(name, justify="right")
    table.add_column("", no_wrap=True)
    best = float(str(sweep["f1"].max()))
    for row in sweep.iter_rows(named=True):
        cells = [
            f"{row[name]:.0%} ({100 * row[f'{name}_low']:.0f}-{100 * row[f'{name}_high']:.0f})"
            for name in ("precision", "recall", "f1")
        ]
        bar = "█" * round(BAR * row["f1"]) + (" best" if row["f1"] == best else "")
        table.add_row(f"{row['cut']:.3f}", f"{row['count']:,}", *cells, bar)
    console.print(table)
    if output:
        write(sweep, output)
    if plot:
        write_sweep(plot, sweep, chosen, source=corpus.source, prior=told, basis=posterior.basis)
    if not quiet:
        say(f"Expected, from {posterior.basis}; the prior is {told}. In brackets: the ends of the prior's interval.")
        say(f"The threshold of the model takes {counted(chosen, 'document')}.")
        for path, what in ((output, "sweep"), (plot, "page with the curves")):
            if path:
                say(f"Wrote the {what} to {path}.")
        say("Next: fit with --threshold precision=0.9, recall=0.95, max_f1 or a cut of the table; an audit knows more.")
