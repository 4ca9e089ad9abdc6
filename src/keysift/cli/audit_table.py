"""The figures of an audit on the terminal."""

from rich.table import Table

from keysift.audit import Measures
from keysift.audit.wording import conclusions, figures, interval_of, value_of
from keysift.cli.console import output as results_console
from keysift.cli.console import plain

__all__ = ["show_measures"]


def show_measures(measures: Measures) -> None:
    """Print every figure with its interval, the strata, and what follows."""
    console = results_console()
    console.print(
        f"{measures.answered:,} judged documents of {measures.documents:,}, {measures.cut.above:,} above the cut"
    )
    table = Table()
    table.add_column("figure")
    table.add_column("estimate", justify="right")
    table.add_column("95 % interval", justify="right")
    for name, estimate in figures(measures):
        table.add_row(name, value_of(estimate), interval_of(estimate))
    console.print(table)
    strata = Table()
    for head in ("stratum", "documents", "judged", "relevant"):
        strata.add_column(head, justify="left" if head == "stratum" else "right")
    for part in measures.strata:
        strata.add_row(part.name, f"{part.size:,}", f"{part.judged:,}", f"{part.relevant:,}")
    console.print(strata)
    for title, text in conclusions(measures):
        console.print(plain(f"{title}: {text}"), soft_wrap=True)
