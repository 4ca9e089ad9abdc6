"""Keywords as the chips of the page, and back; a text is never taken for the name of a file here."""

from collections.abc import Mapping
from dataclasses import replace

from keysift.keywords.parsing import parse_keywords
from keysift.keywords.syntax import Item, parts_of, read_item, read_weighted
from keysift.web.bodies import Keywords
from keysift.web.schemas import Chip


def keywords_of(given: Keywords) -> dict[str, float]:
    """The keywords of chips and of what was typed beside them, checked.

    >>> keywords_of(Keywords(chips=[Chip(word="love", excluded=True)], text="free:2, lost card"))
    {'-love': 1.0, 'free': 2.0, 'lost card': 1.0}
    """
    chips = [_item(chip) for chip in given.chips]
    return _checked([*chips, *map(read_weighted, parts_of(given.text))])


def keywords_in(text: str) -> dict[str, float]:
    """The keywords of a string.

    >>> keywords_in("free:2, -love")
    {'free': 2.0, '-love': 1.0}
    """
    return _checked([read_weighted(part) for part in parts_of(text)])


def chips_of(keywords: Mapping[str, float]) -> list[Chip]:
    """Keywords as chips.

    >>> chips_of({"win*": 2.0, "-love": 1.0})
    [Chip(word='win*', weight=2.0, excluded=False), Chip(word='love', weight=1.0, excluded=True)]
    """
    return [chip_of(text, weight) for text, weight in keywords.items()]


def chip_of(text: str, weight: float = 1.0) -> Chip:
    """One keyword as a chip."""
    item = read_item(text)
    return Chip(word=replace(item, excluded=False).text, weight=weight, excluded=item.excluded)


def _item(chip: Chip) -> tuple[Item, float | None]:
    item = read_item(chip.word)
    return replace(item, excluded=True) if chip.excluded else item, None if chip.excluded else chip.weight


def _checked(read: list[tuple[Item, float | None]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for item, weight in read:
        if item.words:
            total[item.text] = 1.0 if item.excluded else total.get(item.text, 0.0) + (1.0 if weight is None else weight)
    return parse_keywords(total) if total else {}
