"""How good a ranking is, as far as that can be known without a label."""

from dataclasses import dataclass

import numpy as np

from keysift.learn.quality import Quality
from keysift.learn.strategies import Strategy
from keysift.present.facts import Section, Sentence, Table

BASES = {
    "keywords": "measured by finding documents of keywords that were left out",
    "documents": "measured by finding documents that were left out, because only one keyword finds any",
}
MEANINGS = {
    "keywords": "Some keywords are hidden and left out, and a ranking is learned from the others. The quality is how"
    " often a document with a left-out keyword ranks above one without any keyword.",
    "documents": "Only one keyword finds documents. It is hidden, and a ranking is learned from half of its documents."
    " The quality is how often one of the other half ranks above a document without the keyword.",
}
SCALE = (
    "0.5 is chance, 1 is perfect. Use it to compare strategies on the same documents and views, not to compare"
    " encoders. It is lower than the true AUC, because some documents with a keyword are irrelevant and some without"
    " one are relevant."
)
UNKNOWN = (
    "unknown, because too few documents would be left to look for. The ranking rests on the keywords alone; more"
    " documents or more frequent keywords help."
)
NAME = "Quality without labels"


@dataclass(frozen=True)
class QualityFacts:
    """What was measured without labels."""

    value: str
    """Empty where nothing could be measured."""
    summary: str
    """In a line."""
    meaning: tuple[str, ...]
    doubts: tuple[str, ...]
    """What to warn of."""
    choice: tuple[str, ...]
    """What was made of it."""
    strategies: Table | None
    """The strategies that were tried; None where there was no choice."""

    @property
    def section(self) -> Section:
        """All of it, as a part of a page."""
        return Section(
            NAME,
            (
                Sentence(self.summary),
                *map(Sentence, self.meaning),
                *(Sentence(doubt, lead="Doubtful.") for doubt in self.doubts),
                *map(Sentence, self.choice),
            ),
            table=self.strategies,
        )


def quality_facts(quality: Quality) -> QualityFacts:
    """The facts about a quality."""
    if quality.basis == "nothing":
        return QualityFacts("", f"{NAME}: {UNKNOWN}", (), tuple(_doubts(quality)), (), None)
    several = len(quality.trials) > 1
    return QualityFacts(
        value=f"{quality.value:.2f}",
        summary=f"{NAME}: {quality.value:.2f} (0.5 is chance), {BASES[quality.basis]}.",
        meaning=(f"{MEANINGS[quality.basis]} {SCALE}",),
        doubts=tuple(_doubts(quality)),
        choice=tuple(_choice(quality, several)),
        strategies=_strategies(quality) if several else None,
    )


def strategy_name(strategy: Strategy) -> str:
    """What a strategy learns from.

    >>> strategy_name(Strategy()), strategy_name(Strategy(0.5)), strategy_name(Strategy(near=True))
    ('keywords alone', 'self-training on 50% of the documents', 'neighbours of documents with a keyword')
    """
    if strategy.near:
        return "neighbours of documents with a keyword"
    return f"self-training on {strategy.share:.0%} of the documents" if strategy.share else "keywords alone"


def _doubts(quality: Quality) -> list[str]:
    doubts = []
    if not quality.encoder_followed:
        doubts.append(
            "The sentence vectors find documents of left-out keywords no better than chance (AUC"
            f" {quality.encoder:.2f}) while words do, so the ranking is learned without them."
        )
    if quality.within_chance:
        doubts.append(
            f"The quality is within chance (up to {quality.by_chance:.2f}): the keywords may not describe one topic."
            " Read the top documents before you rely on the ranking, or give more keywords."
        )
    return doubts


def _choice(quality: Quality, several: bool) -> list[str]:
    said = []
    if several:
        said.append(
            "Several strategies were tried. None is beyond chance, so the quality has no say in how they are mixed."
            if quality.ignored
            else "Several strategies were tried; the better its quality, the more a strategy counts in the ranking."
        )
    if np.isfinite(quality.neighbours):
        use = "are used" if quality.trust > 0 else "are not used"
        said.append(
            "The neighbours of documents with a keyword find the left-out ones with an AUC of"
            f" {quality.neighbours:.2f} and {use}."
        )
    if np.isfinite(quality.negation):
        use = "is used" if quality.negation_followed else "is not used"
        said.append(
            "Copies of documents with negated keywords (“not great”) were encoded too: the direction away from them"
            f" finds documents whose keywords are hidden with an AUC of {quality.negation:.2f} and {use}."
        )
    return said


def _strategies(quality: Quality) -> Table:
    return Table(
        ("strategy", "quality", "weight in the ranking"),
        tuple((strategy_name(one.strategy), f"{one.quality:.3f}", f"{one.weight:.0%}") for one in quality.trials),
        numbers=(1, 2),
    )
