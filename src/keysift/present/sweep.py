"""What every cut of a ranking is expected to give."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from keysift.errors import InputError
from keysift.present.curves import MEASURES, sweep_picture
from keysift.present.cut_facts import UNMEASURED, held_scores, posterior_for, prior_words, unlike_training
from keysift.present.facts import Page, Section, Sentence, Table
from keysift.present.html import write_page
from keysift.present.wording import counted, short_range
from keysift.ranker import KeywordRanker


@dataclass(frozen=True)
class SweepFacts:
    """Cuts from the top of a ranking to its end."""

    sweep: pl.DataFrame
    """The numbers themselves."""
    table: Table
    best: tuple[bool, ...]
    """Whether each cut has the largest expected F1."""
    f1: tuple[float, ...]
    chosen: int
    """Documents above the threshold of the model."""
    basis: str
    threshold: str


def sweep_facts(clf: KeywordRanker, ranking: pl.DataFrame, points: int = 20, prior: float | None = None) -> SweepFacts:
    """What about so many cuts of a ranking by `clf` are expected to give."""
    posterior = posterior_for(clf, prior)
    if not posterior.measured:
        raise InputError(UNMEASURED)
    if prior is None and (unlike := unlike_training(clf, ranking)):
        raise InputError(
            f"{unlike} What a cut of them gives is not known from training; say which share of them is relevant with"
            " prior=, audit their ranking, or fit again."
        )
    chosen = int(ranking["decision"].sum())
    sweep = posterior.sweep(held_scores(clf, ranking), points)
    return facts_of(sweep, chosen, posterior.basis, prior_words(clf, prior))


def facts_of(sweep: pl.DataFrame, chosen: int, basis: str, prior: str) -> SweepFacts:
    """The facts about a sweep, its basis and its prior told in words."""
    f1 = tuple(sweep["f1"].to_list())
    rows = tuple(
        (
            f"{row['cut']:.3f}",
            f"{row['count']:,}",
            *(short_range(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name in MEASURES),
        )
        for row in sweep.iter_rows(named=True)
    )
    return SweepFacts(
        sweep=sweep,
        table=Table(("cut", "count", *MEASURES.values()), rows, numbers=(0, 1, 2, 3, 4)),
        best=tuple(value == max(f1) for value in f1),
        f1=f1,
        chosen=chosen,
        basis=f"Expected, from {basis}; the prior is {prior}. In brackets: 90 % intervals.",
        threshold=f"The threshold of the model takes {counted(chosen, 'document')}.",
    )


def write_sweep(path: str | Path, facts: SweepFacts, *, source: str) -> None:
    """Write the page about the cuts of a ranking of `source`."""
    write_page(path, sweep_page(facts, source))


def sweep_page(facts: SweepFacts, source: str) -> Page:
    """The page as facts."""
    return Page(
        title=f"keysift: cuts of {source}",
        heading="Where to cut",
        source=source,
        sections=(
            Section(
                "Expected of every cut",
                (
                    Sentence(facts.basis),
                    Sentence(f"{facts.threshold} keysift decide takes another cut. An audit narrows the bands."),
                ),
                drawing=sweep_picture(facts.sweep, facts.chosen),
                table=facts.table,
            ),
        ),
    )
