"""`review` and `review export`: read best first, answer with one key, and take the result away."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.console import output as results_console
from keysift.cli.console import plain, say, stages
from keysift.cli.options import Learning, Quiet
from keysift.cli.project import Asked, open_review
from keysift.cli.ranking import check_targets
from keysift.cli.reading import DocumentOptions
from keysift.cli.tables import terminal_table

if TYPE_CHECKING:
    import polars as pl

    from keysift.present.facts import Table

Project = Annotated[
    Path, typer.Option("--state", help="The folder of the project: answers, notes, keywords.", show_default=False)
]


def review(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="DOCUMENTS",
            help="What `keysift rank` reads, a ranking, or an audit sheet; a project remembers it.",
            show_default=False,
        ),
    ] = None,
    *,
    state: Project,
    keywords: Annotated[
        str | None,
        typer.Option(
            "--keywords",
            "-k",
            help="What you look for, as for `keysift rank`; a project remembers it.",
            show_default=False,
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(help="Column with answers that are there already: y, n, unsure or nothing.", show_default=False),
    ] = None,
    no_duplicates: Annotated[
        bool, typer.Option("--no-duplicates", help="Ask about documents that say the same one by one, too.")
    ] = False,
    reading: DocumentOptions,
    learning: Learning,
    quiet: Quiet = False,
) -> None:
    """Read documents best first and answer with one key; every answer is saved at once, and learned meanwhile.

    Keys: y yes, n no, u unsure, b back, s skip, o note, q quit.

    e shows evidence and score, which are hidden because they sway; m more of a long text.

    c starts and ends a stop check: it draws at random from what is unread, to know how much is left.

    To go on: keysift review --state PROJECT

    To take the result away: keysift review export --state PROJECT -o reviewed.csv
    """
    from keysift.present.review import goodbye
    from keysift.review.state import State

    asked = Asked(source, keywords, labels, no_duplicates, reading, learning)
    with State.open(state, new=source is not None) as project:
        with stages(quiet) as progress:
            corpus, reviewer = open_review(project, asked, progress, quiet)
        from keysift.cli.review_screen import ReviewScreen

        with reviewer:
            ReviewScreen(corpus, reviewer).run()
        done = reviewer.progress()
    name = shlex.quote(str(state))
    say(goodbye(done, str(state)))
    if not quiet:
        if done.left:
            say(f"Go on with: keysift review --state {name}")
        say(f"Next, to take it away: keysift review export --state {name} -o reviewed.csv")


def export(
    *,
    state: Project,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Write the result here (.csv, .xlsx, .ris, …).", show_default=False),
    ],
    quiet: Quiet = False,
) -> None:
    """Write the documents of a project in the order of its last ranking, with answers, notes, decisions and reasons.

    Beside it a table counts what was read and left out, as a PRISMA diagram asks for.
    """
    from keysift.corpus.writing import check_output, write
    from keysift.present.review import count_table, stopped_by
    from keysift.review.state import State
    from keysift.reviewed import reviewed

    check_output(output)
    counts = output.with_name(f"{output.name.split('.')[0]}-counts.csv")
    nothing = Asked(None, None, None, False, DocumentOptions(), Learning())
    with State.open(state, new=False) as project, stages(quiet) as progress:
        check_targets([project.settings.get("source", ""), project.path], output, None, counts)
        corpus, reviewer = open_review(project, nothing, progress, quiet)
        progress("Writing", 0.0)
        write(reviewed(corpus, reviewer, output), output)
        done = reviewer.progress()
        table, rule = count_table(done), stopped_by(done)
        write(_as_frame(table, rule), counts)
        progress("Writing", 1.0)
    results_console().print(terminal_table(table))
    results_console().print(plain(f"Stopped by: {rule}."))
    if not quiet:
        say(f"Wrote the documents to {output}, and these counts to {counts}.")
        if ".ris" not in output.suffixes:
            sheet = f"{shlex.quote(str(output))} -o audit.csv --state {shlex.quote(str(state))}"
            say(f"Next, to know how good the decisions are: keysift audit start {sheet}")


def _as_frame(table: "Table", rule: str) -> "pl.DataFrame":
    import polars as pl

    rows = [[step.strip(), number.replace(",", "")] for step, number in table.rows]
    return pl.DataFrame([*rows, ["stopped by", rule]], schema=list(table.heads), orient="row")
