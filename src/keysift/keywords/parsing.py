"""Keywords as people write them: a list, {word: weight}, a comma-separated string or a file."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from keysift.errors import KeywordError

LIST_SUFFIXES = (".txt", ".csv", ".lst")
"""A string that ends like this is a file's name, whether the file is there or not."""
HEAVIEST = 1_000_000
COMMA = re.compile("[,，、]")
COMMENT = re.compile(r"(?:^|\s)#(?:\s|$)")
"""`#metoo` is a keyword, `# me too` is a comment."""


def parse_keywords(keywords: object) -> dict[str, float]:
    """The weight of each keyword; one that is given twice counts twice.

    In a string or a file, a weight may follow a colon. A file has one keyword (or several, separated by commas) on each
    line; `#` and a space start a comment. A string is taken for a file name when there is such a file and the name has
    a suffix or a folder in it.

    >>> parse_keywords("hockey: 2, baseball, machine learning")
    {'hockey': 2.0, 'baseball': 1.0, 'machine learning': 1.0}
    >>> parse_keywords(["hockey", "baseball"])
    {'hockey': 1.0, 'baseball': 1.0}
    """
    total: dict[str, float] = {}
    for text, weight in _pairs(keywords):
        name = " ".join(text.split())
        if name:
            total[name] = total.get(name, 0.0) + weight
    if not total:
        raise KeywordError("No keyword was given; give at least one, for example: sports, baseball, hockey.")
    for name, weight in total.items():
        if not 0 < weight <= HEAVIEST:
            raise KeywordError(
                f"The weight of keyword {name!r} must be a number above 0 and up to {HEAVIEST:,}; got {weight:g}."
            )
    return total


def _pairs(keywords: object) -> Iterable[tuple[str, float]]:
    if isinstance(keywords, Path):
        return _from_file(keywords)
    if isinstance(keywords, str):
        path = Path(keywords.strip())
        if (path.suffix in LIST_SUFFIXES and "," not in keywords) or (
            (path.suffix or len(path.parts) > 1) and _is_file(path)
        ):
            return _from_file(path)
        return [_weighted(part) for part in COMMA.split(keywords)]
    if isinstance(keywords, Mapping):
        return [(_word(word), _number(word, weight)) for word, weight in keywords.items()]
    if isinstance(keywords, Iterable):
        return [(_word(word), 1.0) for word in keywords]
    raise KeywordError(
        f"Keywords must be a list, a dictionary of weights, a string or a file; got {type(keywords).__name__}."
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # too long to be the name of a file
        return False


def _from_file(path: Path) -> list[tuple[str, float]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise KeywordError(f"Cannot read keywords from {path}: it is not UTF-8 text ({error.reason}).") from None
    except OSError as error:
        raise KeywordError(
            f"Cannot read keywords from {path}: {(error.strerror or str(error)).lower()}; give the keywords themselves,"
            " or a file with one on each line."
        ) from None
    return [_weighted(part) for line in lines for part in COMMA.split(COMMENT.split(line)[0])]


def _weighted(part: str) -> tuple[str, float]:
    word, colon, weight = part.rpartition(":")
    try:
        return (word, float(weight)) if colon and word.strip() else (part, 1.0)
    except ValueError:  # the colon belongs to the keyword
        return part, 1.0


def _word(word: object) -> str:
    if not isinstance(word, str):
        raise KeywordError(f"Keywords must be str; got {word!r} of type {type(word).__name__}.")
    return word


def _number(word: object, weight: object) -> float:
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise KeywordError(f"The weight of keyword {word!r} must be a number above 0; got {weight!r}.")
    return float(weight)
