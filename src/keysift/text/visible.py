"""Text that a terminal shows and does not obey."""

import unicodedata

REPLACED = {"Cc": " ", "Zl": " ", "Zp": " ", "Zs": " ", "Cs": "\ufffd", "Cf": ""}
"""What stands for a character of these categories: controls and separators are spaces, format characters (U+202E,
which turns the text around, U+200B, which nobody sees) are left out, half a surrogate pair is a question mark."""


def visible(text: str) -> str:
    r"""The text without characters that steer a terminal or hide from the reader; lines stay lines.

    >>> visible("a\x1b[31m red\u202e fdp.exe\ttab\nnext")
    'a [31m red fdp.exe tab\nnext'
    """
    odd = {ord(character): _shown(character) for character in set(text) if not character.isprintable()}
    return text.translate(odd) if odd else text  # a text has few different characters, and thousands in all


def _shown(character: str) -> str:
    if character == "\n" or character.isprintable():
        return character
    return REPLACED.get(unicodedata.category(character), character)
