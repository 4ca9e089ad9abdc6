"""The review as the page shows it: one document, how far one is, and whether one may stop."""

from keysift.errors import KeysiftError
from keysift.present.review import progress_lines
from keysift.text.visible import visible
from keysift.web.bodies import Note, ReviewAnswer
from keysift.web.ranked import Ranked
from keysift.web.ranking_schemas import Review, Shown
from keysift.web.ranking_screen import cells_of, check_place
from keysift.web.refusals import NotReadyError


def review(ranked: Ranked) -> Review:
    """What to read next, and how far the review is."""
    reviewer = ranked.reviewer
    progress = reviewer.progress()
    return Review(
        shown=_shown(ranked),
        read=progress.read,
        relevant=progress.relevant,
        irrelevant=progress.irrelevant,
        unsure=progress.unsure,
        skipped=progress.skipped,
        left=progress.left,
        lines=list(progress_lines(progress)),
        checking=progress.check is not None and progress.check.running,
        problem="" if reviewer.failed is None else f"Saved, but not learned: {reviewer.failed}",
    )


def answer(ranked: Ranked, given: ReviewAnswer) -> Review:
    """Answer the document that is shown; refused where another is, as a second browser may have answered it."""
    reviewer = ranked.reviewer
    if reviewer.current is None or reviewer.current.place != given.document:
        raise NotReadyError("This document was answered elsewhere meanwhile; the next one is shown.")
    if given.answer == "skip":
        reviewer.skip()
    else:
        reviewer.answer(given.answer)
    return review(ranked)


def back(ranked: Ranked) -> Review:
    """Take back the last answer."""
    if ranked.reviewer.back() is None:
        raise NotReadyError("There is nothing to go back to.")
    return review(ranked)


def note(ranked: Ranked, given: Note) -> Review:
    """Keep a note on any document."""
    place = check_place(ranked, given.document)
    ranked.reviewer.state.note(int(ranked.opened.numbers[place]), given.text.strip())
    return review(ranked)


def _shown(ranked: Ranked) -> Shown | None:
    try:
        current = ranked.reviewer.current
    except KeysiftError:
        current = None
    if current is None:
        return None
    opened, place = ranked.opened, current.place
    return Shown(
        document=place,
        id=visible(str(opened.corpus.ids[place])),
        chosen=current.chosen,
        pieces=ranked.marker.everywhere(opened.corpus.texts[place]),
        cells=cells_of(ranked, place),
        note=ranked.reviewer.state.notes().get(int(opened.numbers[place]), ""),
    )
