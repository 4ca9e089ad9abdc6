"""All commands, by name."""

from typing import Annotated

import typer

from keysift import __version__
from keysift.cli.auditing import apply, label, report, start
from keysift.cli.command import Commands, command
from keysift.cli.comparing import compare
from keysift.cli.deciding import decide
from keysift.cli.demo import demo
from keysift.cli.doctor import doctor
from keysift.cli.evaluating import evaluate
from keysift.cli.keywords import keywords
from keysift.cli.ranking import fit, rank, score
from keysift.cli.reviewing import export, review
from keysift.cli.serving import serve
from keysift.cli.simulating import simulate
from keysift.cli.thresholds import thresholds

app = typer.Typer(
    name="keysift",
    cls=Commands,
    help="Find the documents you mean, from a handful of keywords. No labels.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _name, _function in (
    ("rank", rank),
    ("fit", fit),
    ("score", score),
    ("decide", decide),
    ("thresholds", thresholds),
    ("compare", compare),
    ("keywords", keywords),
    ("evaluate", evaluate),
    ("simulate", simulate),
    ("review", review),
    ("review export", export),
    ("serve", serve),
    ("demo", demo),
    ("doctor", doctor),
):
    command(app, _name)(_function)

_audit = typer.Typer(
    name="audit",
    help="Judge a sample of a ranking, and know its precision, recall and prevalence.",
    no_args_is_help=True,
)
command(_audit, "start")(start)
command(_audit, "label")(label)
command(_audit, "report")(report)
command(_audit, "apply")(apply)
app.add_typer(_audit)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"keysift {__version__}")
        raise typer.Exit


@app.callback()
def _keysift(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Find the documents you mean, from a handful of keywords. No labels."""
