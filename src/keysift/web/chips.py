"""Keywords as the chips of the page, and back; a text is never taken for the name of a file here."""

from collections.abc import Mapping
from dataclasses import replace

from keysift.keywords.parsing import parse_keywords
from keysift.keywords.syntax import Item, parts_of, read_item, read_weighted
from keysift.web.bodies import Keywords
from keysift.web.schemas import Chip


def keywords_of(given: Keywords) -> dict[str, float]:
    """The keywords of chips and of what was typed beside them, checked; one that is there is not added again.

    >>> keywords_of(Keywords(chips=[Chip(word="love", excluded=True)], text="free:2, lost card, Free, lost card:3"))
    {'-love': 1.0, 'free': 2.0, 'lost card': 3.0}
    """
    return _checked(_each_once(given)[0])


def typed_again(given: Keywords) -> list[str]:
    """Those that were there already.

    >>> typed_again(Keywords(chips=[Chip(word="free")], text="Free, lost card"))
    ['free']
    """
    return list(dict.fromkeys(_each_once(given)[1]))


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


def _each_once(given: Keywords) -> tuple[list[tuple[Item, float | None]], list[str]]:
    """Every keyword with its last weight, and those that came more than once."""
    there: dict[Item, tuple[Item, float | None]] = {}
    again = []
    for item, weight in [*map(_item, given.chips), *map(read_weighted, parts_of(given.text))]:
        known, before = there.setdefault(replace(item, words=item.words.casefold()), (item, weight))
        if known is not item:
            again.append(known.text)
            there[replace(item, words=item.words.casefold())] = known, before if weight is None else weight
    return list(there.values()), again


def _item(chip: Chip) -> tuple[Item, float | None]:
    item = read_item(chip.word)
    return replace(item, excluded=True) if chip.excluded else item, None if chip.excluded else chip.weight


def _checked(read: list[tuple[Item, float | None]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for item, weight in read:
        if item.words:
            total[item.text] = 1.0 if item.excluded else total.get(item.text, 0.0) + (1.0 if weight is None else weight)
    return parse_keywords(total) if total else {}
