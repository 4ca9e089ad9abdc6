"""Texts of documents as pieces, their evidence marked; nothing in them steers a page or a terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

from keysift.keywords.match import Matches
from keysift.present.facts import TextPiece
from keysift.present.highlight import passage, term_forms, whole
from keysift.text.scripts import spelled
from keysift.text.visible import visible
from keysift.web.ranking_schemas import Reason
from keysift.web.schemas import Piece

LONGEST = 200_000
"""Characters of a document that are sent."""


@dataclass(frozen=True)
class Marker:
    """Marks keywords, in every form in which the documents hold them, and the words that moved a score."""

    forms: dict[str, list[str]]

    @classmethod
    def of(cls, matches: Matches) -> "Marker":
        """For the keywords that were looked for."""
        return cls({spelled(term): term_forms(matches, term) for term in matches.own_terms})

    def passage(self, text: str, matched: Sequence[str], reasons: Sequence[Reason] = ()) -> list[Piece]:
        """The part of a text that matters."""
        return _pieces(passage(visible(text), self._forms(matched), *_sides(reasons)))

    def whole(self, text: str, matched: Sequence[str], reasons: Sequence[Reason] = ()) -> list[Piece]:
        """All of a text, unless it is endless."""
        shown = visible(text[:LONGEST]) + (" …" if len(text) > LONGEST else "")
        return _pieces(whole(shown, self._forms(matched), *_sides(reasons)))

    def everywhere(self, text: str) -> list[Piece]:
        """All of a text with every keyword marked; neither what moved its score nor how."""
        return self.whole(text, list(self.forms))

    def _forms(self, matched: Sequence[str]) -> list[str]:
        return [form for term in matched for form in self.forms.get(term) or [term]]


def reasons_of(words: Sequence[str], contributions: Sequence[float]) -> list[Reason]:
    """The words that moved a score, as a ranking has them."""
    return [Reason(word=visible(word), by=by) for word, by in zip(words, contributions, strict=True)]


def _sides(reasons: Sequence[Reason]) -> tuple[list[str], list[str]]:
    return [reason.word for reason in reasons if reason.by > 0], [reason.word for reason in reasons if reason.by < 0]


def _pieces(parts: Sequence[TextPiece]) -> list[Piece]:
    return [Piece.model_validate({"text": part.text, "kind": part.kind}) for part in parts]
