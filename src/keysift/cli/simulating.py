"""`simulate`: a review that is finished, read again."""

from pathlib import Path
from typing import Annotated

import typer

from keysift.cli.console import note, plain, say, stages
from keysift.cli.console import output as results_console
from keysift.cli.evaluating import read_labels
from keysift.cli.options import Keywords, Learning, Quiet
from keysift.cli.ranking import check_targets
from keysift.cli.reading import DocumentOptions, Input
from keysift.cli.tables import terminal_table


def simulate(
    source: Input,
    *,
    keywords: Keywords,
    label: Annotated[str, typer.Option(help="Column of the labels.")] = "label",
    positive: Annotated[
        str | None,
        typer.Option(help="The label that means relevant, if not 1, yes or true.", show_default=False),
    ] = None,
    order: Annotated[
        str, typer.Option(help="mix (best first, with a little exploration), best, uncertain or random.")
    ] = "mix",
    reading: DocumentOptions,
    learning: Learning,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write what was found after each document here (.csv, …).", show_default=False
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Write a page with the recall curves here (.html).", show_default=False)
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Read a finished review again, the labels answering, to see how soon everything would have been found.

    The keywords rank first, and each label is learned once its document was read. The table shows what that saves
    beside reading in keyword order and at random.
    """
    from keysift.present.simulation import simulation_facts
    from keysift.review.orders import get_order
    from keysift.review.simulation import check_labels
    from keysift.review.simulation import simulate as read_again

    chosen = get_order(order)
    clf = learning.ranker(keywords)
    check_targets([source, *learning.files(keywords)], output, plot, None)
    with stages(quiet) as progress:
        corpus = reading.read(source, progress, ignore=(label,))
        known, labels = read_labels(corpus.columns, source, label, positive)
        check_labels(labels[known])
        vectors = None if corpus.vectors is None else corpus.vectors[known]
        prepared = clf.prepare(corpus.texts.filter(known), embeddings=vectors, progress=progress)
        simulation = read_again(
            prepared,
            labels[known],
            clf.keywords,
            order=chosen,
            random_state=learning.random_state,
            loss=clf.loss,
            progress=progress,
        )
        if output:
            from keysift.corpus.writing import write

            ids = corpus.ids.filter(known)
            frame = simulation.frame()
            write(frame.insert_column(1, ids.gather(frame["document"])).drop("document"), output)
        if plot:
            from keysift.present.simulation import write_simulation

            write_simulation(plot, simulation, source=source)
    if not known.all():
        note(f"{int((~known).sum()):,} documents have no label in {label!r} and are left out.")
    facts = simulation_facts(simulation)
    console = results_console()
    console.print(plain(f"{len(simulation.read):,} labelled documents of {source}"))
    console.print(terminal_table(facts.table))
    if not quiet:
        say(facts.found)
        say("The loss is the area lost above the recall curve: 0 is perfect, 0.5 is chance.")
        for what, path in (("curve", output), ("page with the curves", plot)):
            if path:
                say(f"Wrote the {what} to {path}.")
