"""What is doubtful after a fit."""

from collections.abc import Iterator

from keysift.present.keyword_facts import misleading
from keysift.present.quality_facts import quality_facts
from keysift.ranker import KeywordRanker


def doubts_of(clf: KeywordRanker) -> Iterator[str]:
    """Sentences to warn by; of keywords that find nothing it was warned when they were looked for."""
    yield from quality_facts(clf.quality_).doubts if clf.quality_ else ()  # a network has none
    for advice in misleading(clf.keyword_table(), clf.quality_):
        yield f"{advice} keysift keywords shows its documents."
