"""What the commands that rank have to say: the top of the ranking, what was learned, where results are."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from keysift.cli.console import note, one_line, plain, say
from keysift.cli.console import output as results_console

if TYPE_CHECKING:
    import polars as pl

    from keysift.corpus.documents import Corpus
    from keysift.features.prepared import Prepared
    from keysift.ranker import KeywordRanker

TOP = 20


def show_top(corpus: "Corpus", ranking: "pl.DataFrame", count: int = TOP, total: int | None = None) -> None:
    """Print the best documents with their evidence; `total` is how many there are, where not all are in the ranking."""
    from rich.table import Table

    console = results_console()
    console.print(f"Top {min(count, len(ranking))} of {len(ranking) if total is None else total:,}")
    table = Table(expand=True)
    table.add_column("rank", justify="right")
    table.add_column("id", no_wrap=True, overflow="ellipsis", max_width=30)
    table.add_column("score", justify="right")
    table.add_column("decision", justify="right")
    table.add_column("text", ratio=3, no_wrap=True, overflow="ellipsis")
    table.add_column("evidence", ratio=4)
    for row in ranking.head(count).iter_rows(named=True):
        table.add_row(
            str(row["rank"]),
            one_line(str(corpus.ids[row["document"]])),
            f"{row['score']:.2f}",
            str(row["decision"]),
            one_line(corpus.texts[row["document"]]),
            plain(row["evidence"]),
        )
    console.print(table)


def describe_language(prepared: "Prepared", asked: str) -> None:
    """Say which language the documents were taken for."""
    from keysift.text.languages import NAMES

    code = prepared.settings.language
    if asked != "auto":
        say(f"Language: {NAMES.get(code, 'none in particular')}.")
    elif code == "none":
        say("Language: not clear; keywords match as they are spelled (--language tells which it is).")
    else:
        say(f"Language: {NAMES[code]} (guessed; --language overrides).")


def describe_fit(clf: "KeywordRanker", corpus: "Corpus") -> None:
    """Say what was learned from and how good it seems."""
    from keysift.present.quality_facts import quality_facts
    from keysift.present.report import learned_from

    for sentence in learned_from(clf, corpus):
        say(sentence)
    if clf.quality_ is not None:  # a network has none
        say(quality_facts(clf.quality_).summary)


def tell_doubts(clf: "KeywordRanker") -> None:
    """Warn of what is doubtful after a fit."""
    from keysift.present.doubts import doubts_of

    for doubt in doubts_of(clf):
        note(doubt)


def describe_threshold(clf: "KeywordRanker") -> None:
    """Say where the threshold of a model comes from and what to expect of it."""
    from keysift.present.cut_facts import expected_above, threshold_origin

    heuristic = clf.prior_estimate_.basis == "heuristic"
    expected = "" if heuristic else expected_above(clf.expected_, clf.posterior_)
    _say_cut(clf, None, threshold_origin(clf), expected)


def describe_cut(clf: "KeywordRanker", ranking: "pl.DataFrame", prior: float | None = None) -> None:
    """Say where a ranking is cut, what to expect there, and how many documents are above."""
    from keysift.present.cut_facts import cut_facts

    facts = cut_facts(clf, ranking, prior)
    _say_cut(clf, prior, facts.origin, facts.expected)
    say(facts.decided)


def _say_cut(clf: "KeywordRanker", prior: float | None, origin: str, expected: str) -> None:
    from keysift.present.cut_facts import is_provisional

    say(f"{origin} Give --prior if you know it, or audit the ranking." if is_provisional(clf, prior) else origin)
    if expected:
        say(expected)


def describe_files(output: Path | None, report: Path | None, model_out: Path | None) -> None:
    """Say what was written where, and what to do next."""
    if output:
        say(f"Wrote the ranking to {output}.")
    if report:
        say(f"Wrote the report to {report}; open it in a browser.")
    if model_out:
        say(f"Wrote the model to {model_out}.")
        say(f"Next, to rank new documents: keysift score {shlex.quote(str(model_out))} NEW_DOCUMENTS")
    if output:
        ranking = shlex.quote(str(output))
        say(f"Next, to know how good the ranking is: keysift audit start {ranking} -o audit.csv")
        say(f"To cut the ranking elsewhere: keysift decide {ranking} --threshold recall=0.95 -o decided.csv")
        say(f"If one of its columns has labels: keysift evaluate {ranking} --label COLUMN")
    elif not model_out:
        say("Next: -o ranking.csv writes the whole ranking.")
