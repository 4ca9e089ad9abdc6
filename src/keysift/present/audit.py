"""What an audit proves: figures with intervals, what follows, and the documents that speak against the cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from keysift.audit.answers import Audit
from keysift.audit.audited import FEW
from keysift.audit.estimates import Estimate
from keysift.audit.measures import CutFigures, Measures
from keysift.audit.stopping import Stopping
from keysift.present.facts import Document, Fact, Page, Section, Sentence, Table
from keysift.present.folding import folded, say_the_same
from keysift.present.highlight import passage
from keysift.present.html import write_page
from keysift.present.intervals import interval_picture
from keysift.present.wording import bounds, counted, percent, percent_and_bounds

SHOWN = 20
STRATA = (
    "“top” are the best documents, “above the cut” the others above it, “just below” the next ones, and “elusion” the"
    " rest: what is relevant there has eluded the ranking."
)


@dataclass(frozen=True)
class AuditFacts:
    """The figures of an audit in words."""

    judged: str
    figures: Table
    strata: Table
    conclusions: tuple[Sentence, ...]
    left_out: str
    """Empty where every document counts."""


def audit_facts(measures: Measures) -> AuditFacts:
    """The facts about an audit."""
    left_out = ""
    if measures.unsure or measures.unanswered:
        left_out = (
            f"{counted(measures.unsure, 'unsure document')} and {measures.unanswered:,} without an answer are left out,"
            " as if they had not been drawn."
        )
    return AuditFacts(
        judged=f"{counted(measures.answered, 'judged document')} of {measures.documents:,},"
        f" {measures.cut.above:,} above the cut",
        figures=Table(
            ("figure", "measured by the sample", "95 % interval"),
            tuple((name, percent(estimate), bounds(estimate)) for name, estimate in named_figures(measures)),
            numbers=(1, 2),
        ),
        strata=Table(
            ("stratum", "documents", "judged", "relevant"),
            tuple((one.name, f"{one.size:,}", f"{one.judged:,}", f"{one.relevant:,}") for one in measures.strata),
            numbers=(1, 2, 3),
        ),
        conclusions=(
            Sentence(_recommended(measures), lead="Recommended cut:"),
            Sentence(stopping_words(measures.stopping), lead="Can I stop reading?"),
        ),
        left_out=left_out,
    )


def named_figures(measures: Measures) -> list[tuple[str, Estimate]]:
    """Every figure that is known, by name."""
    figures = (
        ("precision at the cut", measures.precision),
        (f"precision at {measures.k:,}", measures.precision_at_k),
        ("recall at the cut", measures.recall),
        ("prevalence", measures.prevalence),
        ("theta, relevant among pseudo-positive", measures.theta),
        ("theta', relevant among pseudo-negative", measures.theta_prime),
    )
    return [(name, estimate) for name, estimate in figures if estimate is not None]


def stopping_words(stopping: Stopping) -> str:
    """Whether one can stop reading below the cut.

    >>> stopping_words(Stopping(0.95, 0.95, 0.97, None, None))
    'Yes. Recall is at least 97.0% with 95% confidence; 95% was asked for.'
    """
    proved = f"Recall is at least {stopping.bound:.1%} with {stopping.confidence:.0%} confidence"
    if stopping.reached:
        return f"Yes. {proved}; {stopping.target:.0%} was asked for."
    ways = []
    if stopping.more:
        some = counted(stopping.more, "more document")
        ways.append(f"judging about {some} from below the cut would prove it, if none of them is relevant")
    if stopping.lower_cut:
        ways.append(f"a lower cut, with {stopping.lower_cut:,} documents above it, reaches it with today's answers")
    advice = "; or ".join(ways) or "too many relevant documents are below the cut, so cut lower or read on"
    return f"Not yet. {proved}, but {stopping.target:.0%} was asked for. Roughly: {advice}."


def write_audit_report(path: str | Path, audit: Audit, measures: Measures, *, source: str) -> None:
    """Write the page about an audit of the ranking `source`."""
    write_page(path, audit_page(audit, measures, source))


def audit_page(audit: Audit, measures: Measures, source: str) -> Page:
    """The page as facts."""
    facts = audit_facts(measures)
    stopping = measures.stopping
    rows = audit.sample.rows
    decided = audit.ranking.decided[rows]
    wrong = (
        _wrong_side("Relevant, but below the cut", audit, rows[(audit.answers == 1) & ~decided].tolist()),
        _wrong_side("Not relevant, but above the cut", audit, rows[(audit.answers == 0) & decided].tolist()),
    )
    return Page(
        title=f"keysift: audit of {source}",
        heading="Audit of a ranking",
        source=source,
        headline=(
            Fact(f"{measures.answered:,}", f"judged of {measures.documents:,}"),
            Fact(percent(measures.precision), "precision at the cut, 95 % interval", bounds(measures.precision)),
            Fact(percent(measures.recall), "recall at the cut, 95 % interval", bounds(measures.recall)),
            Fact(percent(measures.prevalence), "relevant in all, 95 % interval", bounds(measures.prevalence)),
            Fact("yes" if stopping.reached else "not yet", f"recall of {stopping.target:.0%} proved"),
        ),
        sentences=(*facts.conclusions, *([Sentence(facts.left_out)] if facts.left_out else [])),
        sections=(
            Section(
                "Figures",
                (
                    Sentence(
                        "The intervals fit the design: documents were drawn at random within each stratum, and each"
                        " answer counts for as many documents as it stands for."
                    ),
                ),
                drawing=interval_picture(named_figures(measures)),
                table=facts.figures,
            ),
            Section("Where the documents were drawn", (Sentence(STRATA),), table=facts.strata),
            *(section for section in wrong if section is not None),
        ),
    )


def _recommended(measures: Measures) -> str:
    cut = measures.recommended
    low, high = (round(end * measures.documents) for end in (measures.prevalence.low, measures.prevalence.high))
    few = " of these answers and what is usual in other corpora" if measures.answered <= FEW else ""
    return (
        f"the top {counted(cut.above, 'document')} (score above {cut.threshold:.3f}), as many as are relevant by the"
        f" prior{few}, {measures.prior:.3g} (by the sample alone {low:,} to {high:,}). {measured_at(cut)}"
    )


def measured_at(cut: CutFigures) -> str:
    """Precision and recall at a cut, from the answers and how their documents were drawn; no model has a say.

    >>> measured_at(CutFigures(10, 0.5, Estimate(0.9, 0.7, 0.98), Estimate(0.8, 0.6, 0.9)))
    'Measured by the sample: precision 90.0 % (70.0 to 98.0), recall 80.0 % (60.0 to 90.0), 95 % intervals.'
    """
    return (
        f"Measured by the sample: precision {percent_and_bounds(cut.precision)}, recall"
        f" {percent_and_bounds(cut.recall)}, 95 % intervals."
    )


def _wrong_side(title: str, audit: Audit, places: Sequence[int]) -> Section | None:
    """Judged documents on the wrong side of the cut; None where there are none."""
    if not places:
        return None
    ranking = audit.ranking
    ordered = sorted(places)
    alike = folded(ranking.texts.gather(ordered), SHOWN)
    documents = tuple(
        Document(
            rank=f"{place + 1:,}",
            id=ranking.ids[place],
            score=f"{ranking.scores[place]:.2f}",
            positive=bool(ranking.decided[place]),
            passage=passage(ranking.texts[place], ranking.words(place)),
            evidence=ranking.evidence[place],
            others=say_the_same([ordered[other] + 1 for other in others]),
        )
        for place, others in ((ordered[first], others) for first, *others in alike)
    )
    return Section(title, (Sentence(f"{len(places):,} of the judged documents."),), documents=documents)
