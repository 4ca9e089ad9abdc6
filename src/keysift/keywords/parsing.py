"""Keywords in all forms in which people have them: a list, {word: weight}, a string or a file."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from keysift.errors import KeywordError
from keysift.keywords.syntax import Item, parts_of, read_item, read_weighted, shown

LIST_SUFFIXES = (".txt", ".csv", ".lst")
"""A string that ends like this is a file's name, whether the file is there or not."""
LIGHTEST, HEAVIEST = 1e-6, 1e6
LARGEST_FILE = 10_000_000
"""Bytes of a file of keywords."""
NAME = 4_096
"""Characters that the name of a file may have."""
TABLE = re.compile(r"keyword[,\t]")
"""How a table of keywords begins, rather than a list of them."""
Weighted = tuple[Item, float | None]


def parse_keywords(keywords: object, exclude: object = ()) -> dict[str, float]:
    """The weight of each keyword, as one types it; one that is given twice counts twice.

    The syntax of a keyword is that of `keysift.keywords.syntax`, in all forms. In a string or a file, a weight may
    follow a colon. A file has one keyword (or several, separated by commas) on each line; `#` and a space start a
    comment. A string is taken for a file name when there is such a file and the name has a suffix or a folder in it.
    Whatever is in `exclude`, in any of these forms, is excluded as if it had a hyphen. An excluded keyword has the
    weight 1, which says nothing.

    >>> parse_keywords("hockey: 2, baseball, machine learning, -ice")
    {'hockey': 2.0, 'baseball': 1.0, 'machine learning': 1.0, '-ice': 1.0}
    >>> parse_keywords(["hockey", "base*"], exclude="ice, snow")
    {'hockey': 1.0, 'base*': 1.0, '-ice': 1.0, '-snow': 1.0}
    """
    total: dict[Item, float] = {}
    for item, weight in _read(keywords):
        if not item.words:
            continue
        if item.excluded:
            _check_no_weight(item, weight)
        total[item] = 1.0 if item.excluded else total.get(item, 0.0) + (1.0 if weight is None else weight)
    for item, weight in _read(exclude):
        if item.words:
            _check_no_weight(item, weight)
            total[replace(item, excluded=True)] = 1.0
    _check_weights(total)
    _check_sides(total)
    return {item.text: weight for item, weight in total.items()}


def spelled_out(keywords: Mapping[str, float]) -> str:
    """What `parse_keywords` gave, as one string that it reads in the same way.

    >>> spelled_out({"hockey": 2.0, "lost, card": 1.0, "-ice": 1.0})
    'hockey:2, "lost, card", -ice'
    """
    return ", ".join(_spelled(read_item(text), weight) for text, weight in keywords.items())


def _spelled(item: Item, weight: float) -> str:
    short = f"{weight:g}"
    tail = "" if weight == 1 else f":{short if float(short) == weight else weight}"
    bare = item.text + tail
    try:
        alike = read_weighted(bare) == (item, weight if tail else None)
    except KeywordError:
        alike = False
    return bare if alike and list(parts_of(bare, comments=True)) == [bare] else item.quoted + tail


def _read(keywords: object) -> Iterable[Weighted]:
    if isinstance(keywords, Path):
        return _from_file(keywords)
    if isinstance(keywords, str):
        path = file_named(keywords)
        return map(read_weighted, parts_of(keywords)) if path is None else _from_file(path)
    if isinstance(keywords, Mapping):
        return [(read_item(_word(word)), _number(word, weight)) for word, weight in keywords.items()]
    if isinstance(keywords, Iterable):
        return [(read_item(_word(word)), None) for word in keywords]
    raise KeywordError(
        f"Keywords must be a list, a dictionary of weights, a string or a file; got {type(keywords).__name__}."
    )


def file_named(keywords: str) -> Path | None:
    """The file that a string names; None where it is the keywords themselves."""
    if len(keywords) > NAME:
        return None
    path = Path(keywords.strip())
    if path.suffix in LIST_SUFFIXES and not re.search("[,;|\n]", keywords):
        return path
    try:
        return path if (path.suffix or len(path.parts) > 1) and path.is_file() else None
    except OSError:  # too long to be the name of a file
        return None


def _from_file(path: Path) -> Iterator[Weighted]:
    lines = re.split(r"\r\n?|\n", _content(path))
    if TABLE.match(lines[0]):
        yield from _from_table(path, lines)
        return
    for number, line in enumerate(lines, start=1):
        try:
            yield from map(read_weighted, parts_of(line, comments=True))
        except KeywordError as error:
            raise KeywordError(f"{path}, line {number}: {error}") from None


def _from_table(path: Path, lines: list[str]) -> Iterator[Weighted]:
    """The columns `keyword` and, where it is there, `weight`, as `keysift keywords -o` writes them."""
    number = 1
    try:
        for row in csv.DictReader(lines, delimiter=lines[0][len("keyword")]):
            number += 1
            # For spreadsheets an apostrophe before a hyphen says that the cell is no formula.
            item = read_item(re.sub("^'(?=[-+=@])", "", row["keyword"] or ""))
            weight = (row.get("weight") or "").strip()
            yield item, float(weight) if weight and not item.excluded else None
    except (ValueError, csv.Error) as error:
        raise KeywordError(f"{path}, row {number}: {str(error).rstrip('.')}.") from None


def _content(path: Path) -> str:
    name = str(path) if len(str(path)) <= 200 else f"{str(path)[:200]} …"
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise KeywordError(
                f"Cannot read keywords from {name}: it has more than {LARGEST_FILE // 10**6} MB, which no list of"
                " keywords has; give a file with one on each line."
            )
        # What some editors call Unicode; one of the two marks is always there.
        return content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise KeywordError(
            f"Cannot read keywords from {name}: it is not UTF-8 text ({error.reason}); save it as UTF-8."
        ) from None
    except OSError as error:
        raise KeywordError(
            f"Cannot read keywords from {name}: {(error.strerror or str(error)).lower()}; give the keywords themselves,"
            " or a file with one on each line."
        ) from None


def _check_weights(total: Mapping[Item, float]) -> None:
    wanted = [item for item in total if not item.excluded]
    if not total:
        raise KeywordError("No keyword was given; give at least one, for example: sports, baseball, hockey.")
    if not wanted:
        raise KeywordError(
            f"All keywords are excluded ({shown(next(iter(total)).text)}), so there is nothing to look for; give at"
            " least one without a hyphen, for example: sports, -baseball."
        )
    for item in wanted:
        if not LIGHTEST <= total[item] <= HEAVIEST:
            hint = f" To exclude it, write -{item.text}." if total[item] < 0 else ""
            raise KeywordError(
                f"The weight of keyword {shown(item.text)} must be a number from 0.000001 to 1,000,000; got"
                f" {total[item]:g}.{hint}"
            )


def _check_no_weight(item: Item, weight: float | None) -> None:
    if weight not in (None, 1.0):
        raise KeywordError(
            f"The keyword {shown(item.text)} is excluded, so it has no weight; got {weight:g}: leave the weight out."
        )


def _check_sides(total: Mapping[Item, float]) -> None:
    """Refuse a keyword that is also excluded, as far as its letters tell; its tokens tell the rest."""
    wanted = {(item.words.lower(), item.prefix): item for item in total if not item.excluded}
    for item in total:
        other = wanted.get((item.words.lower(), item.prefix)) if item.excluded else None
        if other is not None:
            raise contradiction(other.text, item.text)


def contradiction(wanted: str, excluded: str) -> KeywordError:
    """The error for a keyword that is also excluded."""
    return KeywordError(
        f"The keyword {shown(wanted)} is also excluded, by {shown(excluded)}, so no document could count for it; leave"
        " one of the two out."
    )


def _word(word: object) -> str:
    if not isinstance(word, str):
        raise KeywordError(f"Keywords must be str; got {word!r:.60} of type {type(word).__name__}.")
    return word


def _number(word: object, weight: object) -> float:
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise KeywordError(f"The weight of keyword {shown(str(word))} must be a number above 0; got {weight!r}.")
    try:
        return float(weight)
    except OverflowError:
        raise KeywordError(
            f"The weight of keyword {shown(str(word))} is too large; {HEAVIEST:,.0f} is the most."
        ) from None
