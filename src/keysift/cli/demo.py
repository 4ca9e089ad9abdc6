"""`demo`: the whole way from keywords to a report, on documents that every machine has."""

from pathlib import Path
from typing import Annotated

import typer

from keysift.cli.console import output as results_console
from keysift.cli.console import say, stages
from keysift.cli.options import Quiet
from keysift.cli.showing import describe_cut, describe_fit, show_top
from keysift.files.atomic import check_target

TOP = 10


def demo(
    *,
    report: Annotated[Path, typer.Option(help="Write the page about the ranking here.")] = Path("keysift-demo.html"),
    quiet: Quiet = False,
) -> None:
    """Find the docstrings of scipy.stats among thousands, from three keywords; needs no download."""
    from rich.table import Table

    from keysift import demo as corpus_of_docstrings
    from keysift.metrics import evaluate
    from keysift.present.report import write_report
    from keysift.ranker import KeywordRanker

    check_target(report)
    keywords, target = corpus_of_docstrings.KEYWORDS, corpus_of_docstrings.TARGET
    # Scientific prose uses everyday words in a sense of its own, so the vectors are learned from it.
    clf = KeywordRanker(keywords, vectors="corpus")
    with stages(quiet) as progress:
        corpus = corpus_of_docstrings.collect_docstrings(lambda done: progress("Collecting", done))
        ranking = clf.fit_rank(corpus.texts, progress=progress)
        write_report(report, clf, corpus, ranking)
    show_top(corpus, ranking, TOP)
    if not quiet:
        describe_fit(clf, corpus)
        describe_cut(clf, ranking)

    truth = corpus_of_docstrings.is_target(corpus)
    in_order = ranking.sort("document")
    counts = corpus_of_docstrings.count_keywords(corpus)
    ours = evaluate(truth, in_order["score"], in_order["decision"])
    plain = evaluate(truth, counts, counts > 0)
    console = results_console()
    console.print(f"\nHow well are the {ours.positives:,} docstrings of {target} found among {ours.documents:,}?")
    table = Table()
    table.add_column("ranking by")
    table.add_column("AUC", justify="right")
    table.add_column("precision at 100", justify="right")
    for name, result in (("counting the keywords", plain), ("keysift", ours)):
        table.add_row(name, f"{result.auc:.3f}", f"{result.precision_at_100:.2f}")
    console.print(table)
    if not quiet:
        say(f"keysift was told {', '.join(keywords)} and nothing else; the module names only checked the result.")
        say(f"Wrote the report to {report}; open it in a browser.")
        say('Next, on your own file: keysift rank FILE --keywords "a, b, c" -o ranking.csv --report report.html')
