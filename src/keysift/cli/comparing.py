"""`compare`: what changed from one ranking to another."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.console import one_line, plain, say, stages
from keysift.cli.console import output as results_console
from keysift.cli.options import Quiet
from keysift.cli.ranking import check_targets
from keysift.cli.reading import Text
from keysift.errors import InputError
from keysift.present.wording import counted

if TYPE_CHECKING:
    import polars as pl

SHOWN = 10
"""Rows of a table on the terminal."""


def compare(
    first: Annotated[
        Path, typer.Argument(metavar="A", help="The output of `keysift rank` or `score`.", show_default=False)
    ],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another, of the same documents.", show_default=False)],
    *,
    k: Annotated[int, typer.Option("--k", help="Compare the top k.")] = 100,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write all changed documents here (.csv, .tsv, .xlsx, .jsonl, .parquet).",
            show_default=False,
        ),
    ] = None,
    text: Text = None,
    quiet: Quiet = False,
) -> None:
    """Show what changed from ranking A to ranking B: who entered and left the top and the positives, and why."""
    from keysift.comparison import compare as compare_rankings
    from keysift.comparison import facts
    from keysift.corpus.writing import write

    check_targets([first, second], output, None, None)
    with stages(quiet) as progress:
        progress("Reading", 0.0)
        before, after = _read(first, text), _read(second, text)
        progress("Reading", 1.0)
        found = compare_rankings(before, after, k, sources=(str(first), str(second)))
        progress("Comparing", 1.0)
        changes = found.changes
        if output:
            write(changes, output)
    console = results_console()
    for fact in facts(found):
        console.print(plain(fact), soft_wrap=True)
    _show(f"Entered the top {k:,}", found.entered, "evidence_after")
    _show(f"Left the top {k:,}", found.left, "evidence_before")
    if quiet:
        return
    say(f"Compared {first} (the first ranking) with {second} (the second).")
    if output:
        say(f"Wrote {counted(len(changes), 'change')} to {output}.")
    elif len(changes):
        say("Next: -o changes.csv writes all changes, with the reasons in both rankings.")
    ranked = shlex.quote(str(second))
    say(f"Only judged documents tell which of the two is better: keysift audit start {ranked} -o audit.csv")


def _read(path: Path, text: list[str] | None) -> "pl.DataFrame":
    from keysift.corpus.documents import corpus_from
    from keysift.corpus.reading import read_table

    frame, typed = read_table(path)
    try:
        texts = corpus_from(frame, str(path), text=text, typed=typed).texts
    except InputError:
        if text is not None:
            raise
        return frame  # the texts are only shown; without them there is still all to compare
    return frame.with_columns(texts.alias("text"))


def _show(title: str, rows: "pl.DataFrame", evidence: str) -> None:
    from rich.table import Table

    if rows.is_empty():
        return
    console = results_console()
    more = f", the first {SHOWN} of them" if len(rows) > SHOWN else ""
    console.print(f"{title}: {counted(len(rows), 'document')}{more}")
    table = Table(expand=True)
    for head in ("rank before", "rank after"):
        table.add_column(head, justify="right")
    table.add_column("id", no_wrap=True, overflow="ellipsis", max_width=30)
    table.add_column("text", ratio=3, no_wrap=True, overflow="ellipsis")
    table.add_column("evidence", ratio=4)
    for row in rows.head(SHOWN).iter_rows(named=True):
        ranks = ("-" if rank is None else f"{rank:,}" for rank in (row["rank_before"], row["rank_after"]))
        table.add_row(*ranks, one_line(row["id"]), one_line(row["text"]), plain(row[evidence]))
    console.print(table)
