"""One keyword as people type it, and a list of them in a string.

    free, prize        keywords; a semicolon, a pipe, a new line or OR between them says the same
    lost card          a phrase: the words side by side
    "lost, card"       what is in quotes, straight or curly, is text
    win*               every word that begins so
    -love              not these: documents with it count as negatives
    free:2             a weight, in a string or a file; in Python {"free": 2}

>>> [read_item(part).text for part in parts_of("free; “win*” OR –love")]
['free', '"win*"', '-love']
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from keysift.errors import KeywordError

LONGEST = 1_000
"""Characters of a keyword; a longer one is a text, or a file that was meant to be read."""
SHOWN = 60
"""Characters of a keyword that an error shows."""
MINUS = re.compile("[-\u2013\u2014\u2212\uff0d]+")
"""A hyphen, or one of the dashes that editors make of it."""
BREAK = r"[,，、;；|｜\r\n]"
SEPARATOR = re.compile(rf"{BREAK}|(?<=\S)[^\S\r\n]+OR[^\S\r\n]+(?=\S)")
COMMENT = re.compile(r"(?:^|\s)#(?:\s|$)")
"""`#metoo` is a keyword, `# me too` is a comment."""
CLOSING = {
    '"': re.compile('[^"]*(?:""[^"]*)*(")'),  # two of them are one that belongs to the text
    **{mark: re.compile(f"[^{close}]*([{close}])") for mark, close in zip("“”«»＂「『", "””»«＂」』", strict=True)},
    "„": re.compile("[^“”]*([“”])"),
    # An apostrophe quotes only where one closes again at the end of a keyword: 'tis is a word.
    "'": re.compile(rf".{{0,{LONGEST}}}?(')(?=\s*(?:[*:：]|{BREAK}|$))"),
    "‘": re.compile(rf".{{0,{LONGEST}}}?(’)(?=\s*(?:[*:：]|{BREAK}|$))"),
}
"""What a quotation mark quotes, up to the one that closes it."""
APOSTROPHES = "'‘"
SPACE = re.compile(r"\s*")
OPERATOR = re.compile(r"(?:^|\s)(AND|OR|NOT)(?=\s|$)")
EXPLAINED = {
    "OR": "a document needs only one of them",
    "AND": "every keyword counts on its own, and documents that hold several come first",
    "NOT": "a hyphen excludes a word, as in free, -love",
}
NO_WORDS = "no words"
"""The evidence of an empty document, by which a ranking that is read again knows it."""
WITH_EXCLUDED = "excluded: "
"""Begins the evidence of a document with an excluded keyword."""
JOINERS = "\u200c\u200d"
"""Format characters that are part of words, as in Persian and Hindi."""


@dataclass(frozen=True)
class Item:
    """A keyword, read.

    >>> Item("win", prefix=True).text, Item("love", excluded=True).text, Item("-5").text
    ('win*', '-love', '"-5"')
    """

    words: str
    """Letter by letter, with single spaces."""
    prefix: bool = False
    """Whether its last word stands for every word that begins so."""
    excluded: bool = False

    @property
    def text(self) -> str:
        """As one types it; with quotes only where it would be read as something else without them."""
        sign, star = "-" if self.excluded else "", "*" if self.prefix else ""
        bare = f"{sign}{self.words}{star}"
        try:
            return bare if read_item(bare) == self else self.quoted
        except KeywordError:
            return self.quoted

    @property
    def quoted(self) -> str:
        """The same with quotes in any case.

        >>> Item('5" disk', excluded=True).quoted
        '-"5"" disk"'
        """
        words = self.words.replace('"', '""')
        return f'{"-" if self.excluded else ""}"{words}"{"*" if self.prefix else ""}'


def read_item(text: str) -> Item:
    """Read one keyword, an element of a list: commas and colons in it are text.

    >>> read_item("-win*"), read_item("“lost, card”").words, read_item("follow-up").excluded
    (Item(words='win', prefix=True, excluded=True), 'lost, card', False)
    """
    text = _clean(text)
    minus = MINUS.match(text)
    rest = text[minus.end() :] if minus else text
    if not rest:
        return Item(text)  # nothing, or dashes alone, which nothing can match
    if minus and rest[0] in " (":
        raise KeywordError(
            f"It is not clear whether {shown(text)} is excluded: write the hyphen right before the word (-love), with"
            " no space or bracket, or leave it out."
        )
    excluded = minus is not None
    if (quoted := _in_quotes(rest)) is not None:
        return _item(quoted[0], bool(quoted[1]), excluded)
    if (operator := OPERATOR.search(rest)) and rest != operator[1]:
        raise KeywordError(
            f"{operator[1]} is not understood in {shown(text)}; separate keywords by commas, as in free, prize:"
            f" {EXPLAINED[operator[1]]}. In quotes it is a plain word."
        )
    if sum(map(rest.count, '"“”„＂')) > 1:
        raise KeywordError(
            f"The quotation marks in {shown(text)} are not around the whole of it; separate keywords by commas, and"
            ' give each phrase quotes of its own: "lost card", stolen.'
        )
    rest = rest.replace("＊", "*")
    if "*" in rest[:-1]:
        raise KeywordError(_about_star(text))
    return _item(rest.removesuffix("*"), rest.endswith("*"), excluded)


def read_weighted(text: str) -> tuple[Item, float | None]:
    """Read one keyword of a string or a file, where a weight may follow a colon.

    >>> free, weight = read_weighted("free: 2")
    >>> free.words, weight, read_weighted('"free:2"')[0].words
    ('free', 2.0, 'free:2')
    """
    begin = _beginning(text)
    closed = _closing(text, begin)
    colon = max(text.rfind(":"), text.rfind("："))
    weight = _number(text[colon + 1 :]) if colon > (begin if closed is None else closed) else None
    return read_item(text if weight is None else text[:colon]), weight


def parts_of(text: str, *, comments: bool = False) -> Iterator[str]:
    """The keywords of a string, separated by commas and the like; what is in quotes stays together.

    >>> list(parts_of('free;prize OR win,"lost, card"')), list(parts_of("free # of charge, or so", comments=True))
    (['free', 'prize', 'win', '"lost, card"'], ['free'])
    """
    start = 0
    while start <= len(text):
        begin = _beginning(text, start)
        closed = _closing(text, begin)
        begin = begin if closed is None else closed + 1
        separator = SEPARATOR.search(text, begin)
        stop = separator.start() if separator else len(text)
        if comments and (comment := COMMENT.search(text, begin if closed is not None else start, stop)):
            yield text[start : comment.start()]
            return
        yield text[start:stop]
        start = separator.end() if separator else len(text) + 1


def shown(text: str) -> str:
    """A keyword in an error: its beginning, and nothing that could steer a terminal.

    >>> shown("free"), shown("a" * 80)
    ("'free'", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa …'")
    """
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]} …")


def _clean(text: str) -> str:
    """The text with single spaces, also in place of control and format characters."""
    _check_length(text, 3 * LONGEST)  # where most are quotes, each is there twice
    try:
        text.encode()
    except UnicodeEncodeError:
        raise KeywordError(
            f"The keyword {shown(text)} holds bytes that are no text in UTF-8; type it in a UTF-8 terminal, or put it"
            " into a file that is saved as UTF-8."
        ) from None
    if not text.isprintable():
        text = "".join(
            " " if unicodedata.category(mark) in ("Cc", "Cf") and mark not in JOINERS else mark for mark in text
        )
    return " ".join(text.split())


def _item(words: str, prefix: bool, excluded: bool) -> Item:
    _check_length(words, LONGEST)
    if prefix and not re.search(r"\w$", words):
        raise KeywordError(_about_star(f"{words}*"))
    return Item(words, prefix, excluded)


def _check_length(text: str, most: int) -> None:
    if len(text) > most:
        raise KeywordError(
            f"A keyword may have {LONGEST:,} characters; {shown(text)} has {len(text):,}: give the words to look for,"
            " separated by commas, or a file with one on each line."
        )


def _about_star(text: str) -> str:
    return (
        "A * stands only at the end of a keyword, right after a letter or digit: win* finds win, wins and winner; got"
        f" {shown(text)}. In quotes it is a plain character."
    )


def _in_quotes(text: str) -> tuple[str, str] | None:
    """What is between quotation marks, and what follows them, nothing or a star; None where nothing is quoted."""
    if text[0] not in CLOSING:
        return None
    closed = _closing(text, 0)
    if closed is None:
        if text[0] in APOSTROPHES:
            return None
        raise KeywordError(f"The quotation mark in {shown(text)} is not closed; close it, or leave it out.")
    words, tail = text[1:closed], text[closed + 1 :].strip()
    tail = tail.replace("＊", "*")
    if tail not in ("", "*"):
        if text[0] in APOSTROPHES:
            return None
        raise KeywordError(
            f'After the quoted {shown(words)} there is {shown(tail)}; separate keywords by commas: "lost card", stolen.'
        )
    return " ".join((words.replace('""', '"') if text[0] == '"' else words).split()), tail


def _beginning(text: str, start: int = 0) -> int:
    """Where a keyword begins, after spaces and hyphens."""
    space = SPACE.match(text, start)
    begin = space.end() if space else start
    minus = MINUS.match(text, begin)
    return minus.end() if minus else begin


def _closing(text: str, begin: int) -> int | None:
    """Where the quotation mark that stands at `begin` closes; None where there is none, or it does not close."""
    pattern = CLOSING.get(text[begin : begin + 1])
    found = pattern.match(text, begin + 1) if pattern else None
    return found.start(1) if found else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
