"""How good a ranking is, as far as that can be known without a label."""

from dataclasses import dataclass

from keysift.learn.quality import NAME, Quality
from keysift.present.facts import Section, Sentence

MEANING = (
    "Some keywords are left out, and a ranking is learned from the others. The quality is how often a document with a"
    " left-out keyword ranks above one without any keyword."
)
SCALE = (
    "0.5 is chance, 1 is perfect. It is lower than the true AUC, because some documents with a keyword are irrelevant"
    " and some without one are relevant."
)


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
        )


def quality_facts(quality: Quality) -> QualityFacts:
    """The facts about a quality."""
    if not quality.known:
        return QualityFacts("", str(quality), (), (), tuple(_choice(quality)))
    return QualityFacts(
        value=f"{quality.value:.2f}",
        summary=str(quality),
        meaning=(f"{MEANING} {SCALE}",),
        doubts=tuple(_doubts(quality)),
        choice=tuple(_choice(quality)),
    )


def _doubts(quality: Quality) -> list[str]:
    if not quality.within_chance:
        return []
    return [
        f"The quality is within chance (up to {quality.by_chance:.2f}): the keywords may not describe one topic."
        " Read the top documents before you rely on the ranking, or give more keywords."
    ]


def _choice(quality: Quality) -> list[str]:
    said = []
    if quality.opposite >= quality.config.opposite_from:
        said.append(
            "The keywords have an opposite: negated copies of documents (“not great”) lie on the other side (cosine"
            f" {quality.opposite:.2f}). So the ranking also learns from its own top documents."
        )
    elif quality.two_sides:
        said.append(
            "The ranking also learns from its own top documents, because that does not make it find left-out keywords"
            f" worse (quality {quality.self_trained:.2f})."
        )
    elif quality.known:
        said.append(
            "The ranking learns from the keywords alone: learning from its own top documents as well would make it find"
            f" left-out keywords worse (quality {quality.self_trained:.2f})."
        )
    return said
