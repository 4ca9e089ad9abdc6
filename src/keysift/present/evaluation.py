"""A ranking against labels: its metrics, the confusion table at the cut, and what every cut gives."""

from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from keysift.metrics import Evaluation
from keysift.present.curves import sweep_picture
from keysift.present.facts import Fact, Page, Section, Sentence, Table
from keysift.present.html import write_page
from keysift.present.wording import counted

COUNTS = ("true_positives", "false_positives", "false_negatives", "true_negatives")
"""What the confusion table shows, and the table of metrics does not."""


@dataclass(frozen=True)
class EvaluationFacts:
    """What labels say of a ranking and of its decisions."""

    metrics: Table
    confusion: Table
    decided: str
    """Where the cut is, and what precision and recall it has, in a sentence."""


def evaluation_facts(metrics: Evaluation) -> EvaluationFacts:
    """The facts about an evaluation.

    >>> from keysift.metrics import evaluate
    >>> facts = evaluation_facts(evaluate([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0], [1, 1, 0, 0]))
    >>> facts.confusion.rows
    (('positive', '1', '1', '2'), ('negative', '1', '1', '2'), ('all', '2', '2', '4'))
    >>> facts.decided
    'At the cut, with 2 documents above it: precision 50.0 %, recall 50.0 %, F1 50.0 %.'
    """
    plain = {name: value for name, value in asdict(metrics).items() if name not in COUNTS}
    rows = tuple(
        (name.replace("_", " "), f"{value:,}" if isinstance(value, int) else f"{value:.4f}")
        for name, value in plain.items()
    )
    hits, alarms, missed, rejected = (int(getattr(metrics, name)) for name in COUNTS)
    cells = (("positive", hits, alarms), ("negative", missed, rejected), ("all", hits + missed, alarms + rejected))
    above = counted(hits + alarms, "document")
    return EvaluationFacts(
        metrics=Table(("metric", "value"), rows, numbers=(1,)),
        confusion=Table(
            ("decided", "relevant", "irrelevant", "all"),
            tuple((name, f"{one:,}", f"{other:,}", f"{one + other:,}") for name, one, other in cells),
            numbers=(1, 2, 3),
        ),
        decided=f"At the cut, with {above} above it: precision {100 * metrics.precision:.1f} %, recall"
        f" {100 * metrics.recall:.1f} %, F1 {100 * metrics.f1:.1f} %.",
    )


def write_evaluation(path: str | Path, metrics: Evaluation, cuts: pl.DataFrame, *, source: str) -> None:
    """Write the page about a ranking of `source` with labels; `cuts` are those of `measured_cuts`."""
    write_page(path, evaluation_page(metrics, cuts, source))


def evaluation_page(metrics: Evaluation, cuts: pl.DataFrame, source: str) -> Page:
    """The page as facts."""
    facts, chosen = evaluation_facts(metrics), metrics.true_positives + metrics.false_positives
    best = cuts.row(int(cuts["f1"].arg_max() or 0), named=True)
    return Page(
        title=f"keysift: evaluation of {source}",
        heading="Ranking against labels",
        source=source,
        headline=(
            Fact(f"{metrics.auc:.3f}", "AUC"),
            Fact(f"{metrics.average_precision:.3f}", "average precision"),
            Fact(f"{100 * metrics.precision:.1f} %", "precision at the cut"),
            Fact(f"{100 * metrics.recall:.1f} %", "recall at the cut"),
            Fact(f"{100 * metrics.f1:.1f} %", "F1 at the cut"),
        ),
        sections=(
            Section(
                "Precision and recall along the ranking",
                (
                    Sentence(facts.decided),
                    Sentence(
                        f"The best F1 of any cut is {100 * best['f1']:.1f} %, with"
                        f" {counted(best['count'], 'document')} above it; the threshold top={best['count']} cuts there."
                    ),
                ),
                drawing=sweep_picture(cuts, chosen, "Precision, recall and F1 by the labels"),
            ),
            Section("The decisions and the labels", table=facts.confusion),
            Section("All metrics", table=facts.metrics),
        ),
    )
