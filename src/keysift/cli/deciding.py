"""`decide`: cut a ranking or a model again, without learning again."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from keysift.cli.console import say, stages
from keysift.cli.options import Quiet
from keysift.cli.ranking import check_targets
from keysift.errors import InputError, OutputError
from keysift.present.wording import counted


def decide(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="RANKING_OR_MODEL",
            help="The output of `keysift rank` or `score`, or a model of `keysift fit`.",
            show_default=False,
        ),
    ],
    *,
    threshold: Annotated[
        str, typer.Option(help="Cut by the prior, max_f1, precision=0.9, recall=0.95, top=100 or a score.")
    ] = "prior",
    prior: Annotated[
        float | None, typer.Option(help="Share of relevant documents, if you know it.", show_default=False)
    ] = None,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="Write the ranking, or the model, with the new decisions here.", show_default=False
        ),
    ],
    quiet: Quiet = False,
) -> None:
    """Cut a ranking or a model by another rule; scores and order stay as they are, nothing is learned again."""
    from keysift.corpus.suffixes import TABLES, kind_of
    from keysift.decide.cuts import parse_cut

    rule = parse_cut(threshold)
    if source.is_dir():
        raise InputError(f"Cannot cut {source}: it is a folder; give the output of keysift rank or score, or a model.")
    ranked = kind_of(source)[0] in TABLES
    if ranked:
        check_targets([source], output, None, None)
    else:
        check_targets([source], None, None, output)
        if kind_of(output)[0] in TABLES:
            raise OutputError(
                f"Cannot write the model to {output}: a name like that is a table's; choose one like model.keysift."
            )
    with stages(quiet) as progress:
        progress("Deciding", 0.0)
        if ranked:
            import polars as pl

            from keysift.corpus.reading import read_table
            from keysift.corpus.writing import write
            from keysift.recut import CHANCE, recut

            frame, _ = read_table(source)
            cut, decisions = recut(frame, rule, prior, source=str(source))
            write(cut, output)
            known = CHANCE in cut.columns
            documents, above = len(cut), int(cut["decision"].cast(pl.Int64).sum())
        else:
            from keysift.decide.stored import recut_model

            decisions, documents = recut_model(source, output, rule, prior)
            above, known = decisions.expected.count, True
        progress("Deciding", 1.0)
    if quiet:
        return
    from keysift.present.cut_facts import expected_above, unknown_share

    provisional = decisions.prior.provisional and rule.depends_on_prior
    marked = " (provisional)" if provisional else ""
    verb = "scores" if above == 1 else "score"
    say(f"{above:,} of {counted(documents, 'document')} {verb} above {decisions.threshold:.3f}{marked}.")
    if provisional and decisions.prior.basis == "estimate":
        say(unknown_share(decisions.prior))
    if known and decisions.posterior.measured and (expected := expected_above(decisions.expected, decisions.posterior)):
        say(expected)
    name = shlex.quote(str(output))
    if ranked:
        say(f"Wrote the ranking with these decisions to {output}.")
        say(f"Next, to know how good they are: keysift audit start {name} -o audit.csv")
    else:
        say(f"Wrote the model with this cut to {output}. Next: keysift score {name} NEW_DOCUMENTS")
