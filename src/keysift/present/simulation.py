"""A simulated review as facts: how soon each way of reading finds what there is."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from keysift.present.drawing import LETTER, Curve, Drawing, Label, Line, for_both, legend
from keysift.present.facts import Fact, Page, Section, Sentence, Table
from keysift.present.html import write_page
from keysift.present.wording import counted
from keysift.review.recall import RecallCurve
from keysift.review.simulation import Simulation

PLOT, LEFT, RIGHT, BOTTOM = 242, 48, 12, 44
"""How high the field of the curves is, and the room beside and below it."""
POINTS = 400
"""A curve has no more."""
COLOURS = ("recall", "precision", "f1")
"""The style sheet's names of three colours."""


@dataclass(frozen=True)
class SimulationFacts:
    """What a simulation says."""

    table: Table
    found: str
    """How much is read for 95 % of the relevant documents, in a sentence."""


def ways(simulation: Simulation) -> dict[str, RecallCurve]:
    """The ways of reading, by name."""
    return {
        "learning": simulation.learning,
        "keyword order": simulation.keywords,
        "at random (expected)": simulation.random,
    }


def simulation_facts(simulation: Simulation) -> SimulationFacts:
    """The facts about a simulation.

    >>> curve = RecallCurve.of(np.array([True, False, True, False]))
    >>> facts = simulation_facts(Simulation(np.arange(4), curve, curve, RecallCurve.expected(4, 2), fits=1))
    >>> facts.table.rows[0]
    ('learning', '0.250', '20.0 %', '1', '3')
    >>> facts.found
    'Learning, 3 of 4 documents are read for 95 % of the 2 relevant ones; in keyword order, 3.'
    """
    rows = tuple(
        (
            name,
            f"{curve.loss:.3f}",
            f"{100 * curve.work_saved():.1f} %",
            f"{curve.read_for(0.5):,}",
            f"{curve.read_for():,}",
        )
        for name, curve in ways(simulation).items()
    )
    learning = simulation.learning
    return SimulationFacts(
        table=Table(
            ("reading", "loss", "work saved at 95 %", "read for 50 %", "read for 95 %"), rows, numbers=(1, 2, 3, 4)
        ),
        found=f"Learning, {learning.read_for():,} of {counted(len(learning.found), 'document')} are read for 95 % of"
        f" the {learning.relevant:,} relevant ones; in keyword order, {simulation.keywords.read_for():,}.",
    )


def write_simulation(path: str | Path, simulation: Simulation, *, source: str) -> None:
    """Write the page about a simulation with the documents of `source`."""
    write_page(path, simulation_page(simulation, source))


def simulation_page(simulation: Simulation, source: str) -> Page:
    """The page as facts."""
    facts, learning = simulation_facts(simulation), simulation.learning
    return Page(
        title=f"keysift: simulation of {source}",
        heading="A finished review, read again",
        source=source,
        headline=(
            Fact(f"{simulation.loss:.3f}", "loss"),
            Fact(f"{100 * simulation.work_saved:.1f} %", "work saved at 95 % recall"),
            Fact(f"{learning.read_for():,}", "read for 95 % recall"),
            Fact(f"{learning.relevant:,}", "relevant documents"),
        ),
        sections=(
            Section(
                "What is found while reading",
                (
                    Sentence(facts.found),
                    Sentence(
                        "The loss is the area lost above the curve: 0 where all relevant documents come first, 0.5 by"
                        " chance. Work saved is what need not be read, over what reading at random would save."
                    ),
                ),
                drawing=recall_picture(simulation),
                table=facts.table,
            ),
        ),
    )


def recall_picture(simulation: Simulation) -> Drawing:
    """Recall over the number of documents read, a curve for each way of reading.

    >>> curve = RecallCurve.of(np.array([True, False, True, False]))
    >>> picture = recall_picture(Simulation(np.arange(4), curve, curve, RecallCurve.expected(4, 2), fits=1))
    >>> len(picture.curves), picture.curves[0].points[0], picture.curves[0].points[-1]
    (3, (48.0, 276.0), (888.0, 34.0))
    """
    return for_both(lambda width: _picture(simulation, width))


def _picture(simulation: Simulation, width: float) -> Drawing:
    documents = len(simulation.read)
    read = np.unique(np.linspace(0, documents, min(documents, POINTS) + 1).round().astype(np.int64))
    xs = LEFT + (width - LEFT - RIGHT) * read / documents
    names = legend([(f"— {name}", colour) for name, colour in zip(ways(simulation), COLOURS, strict=True)], width)
    top = names[-1].y + 18
    height = top + PLOT + BOTTOM

    def y(recall: float) -> float:
        return top + PLOT * (1 - recall)

    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    labels = [Label(LEFT - 6, y(tick) + 4, f"{tick:.0%}", "tick", "end") for tick in ticks]
    fits = 1.5 * len(f"{documents:,}") * LETTER < (width - LEFT - RIGHT) / 4  # beside the last, which ends at the edge
    for share in ticks if fits else ticks[::2]:
        anchor = "end" if share == 1 else "start" if share == 0 else "middle"
        place = LEFT + (width - LEFT - RIGHT) * share
        labels.append(Label(place, height - BOTTOM + 18, f"{round(share * documents):,}", "tick", anchor))
    labels.append(Label(width - RIGHT, height - 6, "documents read", "tick", "end"))
    curves = []
    for curve, colour in zip(ways(simulation).values(), COLOURS, strict=True):
        recall = np.concatenate([[0.0], curve.recall])[read]
        points = tuple((float(x), y(float(value))) for x, value in zip(xs, recall, strict=True))
        curves.append(Curve(points, f"curve {colour}"))
    return Drawing(
        width,
        height,
        "Recall while reading",
        grid=tuple(Line(LEFT, y(tick), width - RIGHT, y(tick), "grid") for tick in ticks),
        curves=tuple(curves[::-1]),
        labels=(*names, *labels),
    )
