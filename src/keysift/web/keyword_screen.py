"""What keywords find, as the screen of the keywords shows it."""

import math

from keysift.keywords.match import Matches
from keysift.keywords.parsing import spelled_out
from keysift.keywords.table import KeywordRow as Row
from keysift.keywords.table import excluded_rows, keyword_table
from keysift.pipeline import match, suggest
from keysift.present.keyword_facts import keyword_doubts
from keysift.web.bodies import Keywords
from keysift.web.chips import chip_of, chips_of, keywords_of, typed_again
from keysift.web.opened import Opened
from keysift.web.ranked import Ranked
from keysift.web.schemas import Example, Found, KeywordRow, Suggestion
from keysift.web.texts import Marker


def found_by(opened: Opened, given: Keywords, ranked: Ranked | None) -> Found:
    """What keywords find in the documents; if the ranking is from them, also what was learned of each."""
    keywords = keywords_of(given)
    if not keywords:
        return Found(chips=[], keywords="", rows=[], documents=0, share=0.0, doubts=[], suggestions=[], learned=False)
    learned = ranked if ranked is not None and ranked.result.matches.typed == keywords else None
    matches = match(opened.prepared, keywords) if learned is None else learned.result.matches
    beliefs = None if learned is None else learned.result.learned.beliefs
    rows = keyword_table(matches.keywords, matches.terms, matches.found.matches, matches.similarity, beliefs)
    rows += excluded_rows(matches.exclusions)
    marker = Marker.of(matches) if learned is None else learned.marker
    quality = None if learned is None else learned.result.learned.quality
    return Found(
        chips=chips_of(keywords),
        keywords=spelled_out(keywords),
        rows=[_row(row, opened, marker) for row in rows],
        documents=len(matches.holders),
        share=len(matches.holders) / max(1, len(opened.prepared)),
        doubts=[str(doubt) for doubt in keyword_doubts(rows, quality)],
        suggestions=[] if ranked is None else suggestions(ranked, matches),
        learned=learned is not None,
        again=typed_again(given),
    )


def suggestions(ranked: Ranked, matches: Matches) -> list[Suggestion]:
    """Words to add, by the last ranking, without those that are keywords now."""
    result = ranked.result

    def make() -> list[Suggestion]:
        words = suggest(ranked.opened.prepared, result.matches, result.learned, result.decisions)
        return [
            Suggestion(word=one.word, documents=one.documents, lift=one.lift if math.isfinite(one.lift) else None)
            for one in words
        ]

    there = {word for term in matches.own_terms for word in term}
    return [one for one in ranked.memo.once("suggestions", result, make) if one.word not in there]


def _row(row: Row, opened: Opened, marker: Marker) -> KeywordRow:
    corpus, chip = opened.corpus, chip_of(row.keyword, row.weight)
    return KeywordRow(
        chip=chip,
        documents=row.documents,
        share=row.share,
        alone=row.alone,
        agreement=row.belief,
        verdict=row.verdict,
        examples=[
            Example(document=at, id=str(corpus.ids[at]), pieces=marker.passage(corpus.texts[at], [chip.word]))
            for at in row.examples
        ],
    )
