"""Answers that are not learned yet, because they judge the ranking as it is."""

from collections.abc import Mapping

from keysift.review.state import AUDIT, SKIPPED, Given


def waiting(said: Mapping[int, Given]) -> dict[int, Given]:
    """The last answers, as far as all are to documents that an audit drew: they are learned with the next other one.

    >>> from keysift.review.state import BEST
    >>> first, second = Given("y", AUDIT, ""), Given("n", BEST, "")
    >>> list(waiting({3: first, 5: second, 4: first})), list(waiting({4: first, 5: second}))
    ([4], [])
    """
    last: dict[int, Given] = {}
    for place, given in reversed([(place, given) for place, given in said.items() if given.answer != SKIPPED]):
        if given.chosen != AUDIT:
            break
        last[place] = given
    return last
