"""Bytes of unknown origin as text, always: as asked, as a mark says, or as they look; or that they are no text."""

import codecs
from dataclasses import dataclass

from keysift.corpus.detection import AUTO, detect, mended, mostly_utf8, unmarked_utf16, utf_mark

LOOKED_AT = 1 << 16
"""Bytes that tell whether a file is text."""
CONTROLS = bytes(code for code in range(0x20) if code not in b"\a\b\t\n\v\f\r\x1b")
"""Characters that no text has."""
OPEN = ("utf-8", AUTO)
"""Encodings that nobody chose: bytes that do not fit are looked at more closely."""


@dataclass(frozen=True)
class Decoded:
    """A text and how it was read."""

    text: str
    encoding: str
    sure: bool
    """False if the encoding is a guess, or if bytes were replaced by U+FFFD."""


def is_binary(data: bytes) -> bool:
    r"""Whether these bytes are no text in any encoding: an image, an archive, a program.

    >>> is_binary(b"\x89PNG\r\n\x1a\n\x00\x00"), is_binary(b"a caf\xe9"), is_binary("a goal".encode("utf-16"))
    (True, False, False)
    """
    if unmarked_utf16(data):
        return False
    head = data[:LOOKED_AT]
    return not utf_mark(data) and (b"\0" in head or len(head) - len(head.translate(None, CONTROLS)) > len(head) / 20)


def decode(data: bytes, encoding: str = AUTO) -> Decoded:
    r"""Text from bytes; in UTF-8 with a flaw, and where nothing fits, bad bytes become U+FFFD.

    >>> decode("a café".encode())
    Decoded(text='a café', encoding='utf-8', sure=True)
    >>> decode("ein schöner Tag für alle, die Bücher lieben".encode("cp1252"))
    Decoded(text='ein schöner Tag für alle, die Bücher lieben', encoding='cp1252', sure=False)
    """
    if encoding in OPEN and not utf_mark(data) and (unmarked := unmarked_utf16(data)):
        return Decoded(data.decode(unmarked), unmarked, sure=False)
    told = utf_mark(data) or ("utf-8" if encoding in OPEN else encoding)
    try:
        return Decoded(data.removeprefix(codecs.BOM_UTF8).decode(told), told, sure=True)
    except UnicodeError:
        pass
    if told == "utf-8" and not mostly_utf8(data) and (guess := detect(data)):
        return Decoded(data.decode(guess), guess, sure=False)
    replaced = mended(data).decode() if told == "utf-8" else data.decode(told, errors="replace")
    return Decoded(replaced, told, sure=False)
