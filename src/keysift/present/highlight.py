"""A passage of a document with its evidence marked."""

import re
from collections.abc import Collection, Iterator
from itertools import islice, product

from keysift.keywords.match import Matches
from keysift.keywords.occurrences import forms_of
from keysift.present.facts import TextPiece
from keysift.text.counts import Term
from keysift.text.prefixes import is_prefix, pattern_of
from keysift.text.scripts import SPACELESS

LENGTH = 600
LEAD = 120
FORMS = 200
"""Forms of one keyword that are marked."""


def passage(
    text: str, keywords: Collection[str], raising: Collection[str] = (), lowering: Collection[str] = ()
) -> tuple[TextPiece, ...]:
    """About 600 characters from the first evidence on; keywords, raising and lowering words marked.

    Excluded keywords, with a hyphen, lower; a keyword with a star marks every word that begins so.

    >>> [(part.text, part.kind) for part in passage("Ice  hockey and tax", ["ice hock*"], [], ["tax"])]
    [('Ice hockey', 'keyword'), (' and ', ''), ('tax', 'lowers')]
    """
    text = " ".join(text.split())
    kinds = _kinds(keywords, raising, lowering)
    pattern = words_pattern(kinds)
    first = None if pattern is None else pattern.search(text)
    start = 0 if first is None or first.start() < LEAD * 2 else first.start() - LEAD
    shown = text[start : start + LENGTH]
    parts = (
        TextPiece("…" if start else ""),
        *([TextPiece(shown)] if pattern is None else _marked(shown, pattern, kinds)),
        TextPiece("…" if start + LENGTH < len(text) else ""),
    )
    return tuple(part for part in parts if part.text)


def whole(
    text: str, keywords: Collection[str], raising: Collection[str] = (), lowering: Collection[str] = ()
) -> tuple[TextPiece, ...]:
    r"""All of a text with its lines as they are, marked as a passage is.

    >>> [(part.text, part.kind) for part in whole("Ice hockey\nand tax", ["ice hockey"])]
    [('Ice hockey', 'keyword'), ('\nand tax', '')]
    """
    kinds = _kinds(keywords, raising, lowering)
    pattern = words_pattern(kinds)
    parts = [TextPiece(text)] if pattern is None else _marked(text, pattern, kinds)
    return tuple(part for part in parts if part.text)


def _kinds(keywords: Collection[str], raising: Collection[str], lowering: Collection[str]) -> dict[str, str]:
    """What each word is marked as; keywords before others."""
    return {
        **dict.fromkeys(lowering, "lowers"),
        **dict.fromkeys(raising, "raises"),
        **{word.removeprefix("-"): "lowers" if word.startswith("-") else "keyword" for word in keywords},
    }


def words_pattern(words: Collection[str]) -> re.Pattern[str] | None:
    """Finds whole words and phrases, in any case; None where there is no word to find.

    >>> words_pattern(["hockey", "ice hockey"]).findall("Ice  hockey, not hockeying")
    ['Ice  hockey']
    >>> words_pattern(["-win*"]).findall("A winner, sewing")
    ['winner']
    >>> words_pattern([" "])
    """
    # Longest first, so that a phrase wins over its words.
    bare = (word.removeprefix("-") for word in words)
    found = sorted((word for word in bare if word.strip()), key=len, reverse=True)
    return re.compile("|".join(map(_pattern, found)), re.IGNORECASE) if found else None


def words_of(matches: Matches) -> list[str]:
    """The keywords in every form in which the documents hold them, to be marked.

    >>> from keysift.pipeline import match, prepare
    >>> words_of(match(prepare(["they review the reviews", "peer reviewed", "rain"], encoder=None), "review"))
    ['review', 'reviewed', 'reviews']
    """
    return [word for term in matches.own_terms for word in term_forms(matches, term)]


def term_forms(matches: Matches, term: Term) -> list[str]:
    """A keyword in every form in which the documents hold it."""
    forms = (forms_of(matches.tokens, [word], matches.inflections) for word in term)
    return sorted(" ".join(form) for form in islice(product(*forms), FORMS))


def _pattern(word: str) -> str:
    inside = r"\W+".join(map(pattern_of, word.split()))
    # Where words are written without spaces between them, a word has no borders to look for.
    return inside if SPACELESS.search(word) else rf"(?<!\w){inside}(?!\w)"


def _marked(text: str, pattern: re.Pattern[str], kinds: dict[str, str]) -> Iterator[TextPiece]:
    place = 0
    for match in pattern.finditer(text):
        yield TextPiece(text[place : match.start()])
        word = " ".join(re.findall(r"\w+", match.group().lower()))
        yield TextPiece(match.group(), kinds.get(word) or _kind_of_begun(word, kinds))
        place = match.end()
    yield TextPiece(text[place:])


def _kind_of_begun(word: str, kinds: dict[str, str]) -> str:
    """The kind of a word or phrase that is marked for its beginning."""
    begun = (kind for start, kind in kinds.items() if is_prefix(start) and word.startswith(start[:-1].lower()))
    return next(begun, "keyword")
