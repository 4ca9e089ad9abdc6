"""A passage of a document with its evidence marked."""

import re
from collections.abc import Collection, Iterator

from keysift.report.html import Child, element
from keysift.text import SPACELESS

__all__ = ["passage", "words_pattern"]

LENGTH = 600
LEAD = 120


def passage(text: str, keywords: Collection[str], raising: Collection[str], lowering: Collection[str]) -> list[Child]:
    """About 600 characters from the first evidence on; keywords, raising and lowering words marked.

    >>> from keysift.report.html import render
    >>> render(element("p", *passage("Ice  hockey & <tax>", ["ice hockey"], [], ["tax"])))
    '<p><mark class="keyword">Ice hockey</mark> &amp; &lt;<mark class="lowers">tax</mark>&gt;</p>'
    """
    text = " ".join(text.split())
    kinds = {
        **dict.fromkeys(lowering, "lowers"),
        **dict.fromkeys(raising, "raises"),
        **dict.fromkeys(keywords, "keyword"),
    }
    if not kinds:
        return [text[:LENGTH] + ("…" if len(text) > LENGTH else "")]
    pattern = words_pattern(kinds)
    first = pattern.search(text)
    start = 0 if first is None or first.start() < LEAD * 2 else first.start() - LEAD
    part = text[start : start + LENGTH]
    return [
        *(["…"] if start else []),
        *_marked(part, pattern, kinds),
        *(["…"] if start + LENGTH < len(text) else []),
    ]


def words_pattern(words: Collection[str]) -> re.Pattern[str]:
    """Finds whole words and phrases, in any case.

    >>> words_pattern(["hockey", "ice hockey"]).findall("Ice  hockey, not hockeying")
    ['Ice  hockey']
    """
    # Longest first, so that a phrase wins over its words.
    return re.compile("|".join(map(_pattern, sorted(words, key=len, reverse=True))), re.IGNORECASE)


def _pattern(word: str) -> str:
    inside = r"\W+".join(map(re.escape, word.split()))
    # Where words are written without spaces between them, a word has no borders to look for.
    return inside if SPACELESS.search(word) else rf"(?<!\w){inside}(?!\w)"


def _marked(text: str, pattern: re.Pattern[str], kinds: dict[str, str]) -> Iterator[Child]:
    place = 0
    for match in pattern.finditer(text):
        yield text[place : match.start()]
        word = " ".join(re.findall(r"\w+", match.group().lower()))
        yield element("mark", match.group(), class_=kinds.get(word, "keyword"))
        place = match.end()
    yield text[place:]
