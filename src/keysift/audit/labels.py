"""Answers by the place of their document: what an explicit fit may learn from."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.audit.answers import Audit
from keysift.errors import InputError, listed, warn

VALUES = (1, 0, -1)
MOST = 5
"""Places or values that an error names."""


def labels_from(given: Any, documents: int) -> NDArray[np.int8]:
    """1 relevant, 0 not, -1 unknown for each of so many documents, from an `Audit`, {place: label} or an array.

    An audit tells the places where it is one of a ranking by `fit_rank` or `rank`, whose ids are the places.

    >>> labels_from({2: 1, 0: 0}, 4).tolist()
    [0, -1, 1, -1]
    """
    if isinstance(given, Audit):
        labels = _audited(given, documents)
    elif isinstance(given, Mapping):
        labels = _mapped(given, documents)
    else:
        labels = _listed(given, documents)
    said = set(labels[labels >= 0].tolist())
    if not said:
        raise InputError("The audit holds no answer; give at least one document as relevant (1) and one as not (0).")
    if len(said) == 1:
        word = "relevant" if said == {1} else "irrelevant"
        warn(
            f"All answers ({int((labels >= 0).sum()):,}) say {word}: their documents change sets, but nothing can be"
            " learned from comparing answers; judge some more documents."
        )
    return labels


def _audited(audit: Audit, documents: int) -> NDArray[np.int8]:
    ranked = len(audit.ranking) + audit.ranking.empty
    if ranked != documents:
        raise InputError(
            f"The audit is of a ranking of {ranked:,} documents, but there are {documents:,}; fit the documents that"
            " were ranked."
        )
    names = audit.ranking.ids.to_list()
    place_of = {str(place): place for place in range(documents)}
    if not all(name in place_of for name in names):
        raise InputError(
            "The audit is of a ranking with ids of its own, which do not tell the places of the documents; hand in"
            " {place: 1 or 0}, or the audit of a ranking by fit_rank or rank."
        )
    places = np.array([place_of[name] for name in names])[audit.sample.rows]
    labels = np.full(documents, -1, dtype=np.int8)
    labels[places] = audit.answers
    return labels


def _mapped(given: Mapping[Any, Any], documents: int) -> NDArray[np.int8]:
    foreign = [place for place in given if not _is_whole(place) or not 0 <= place < documents]
    if foreign:
        raise InputError(
            f"The audit has labels for places that are not there: {listed(foreign, MOST)}; places are whole numbers"
            f" from 0 to {documents - 1:,}."
        )
    _check_values(list(given.values()))
    labels = np.full(documents, -1, dtype=np.int8)
    labels[[int(place) for place in given]] = [int(label) for label in given.values()]
    return labels


def _listed(given: Any, documents: int) -> NDArray[np.int8]:
    try:
        values = [given] if isinstance(given, str) else list(given)
    except TypeError:
        raise InputError(f"audit must be an Audit, {{place: 1 or 0}} or an array of labels; got {given!r}.") from None
    if len(values) != documents:
        raise InputError(
            f"The audit has {len(values):,} labels for {documents:,} documents; give one for each, -1 where it is"
            " unknown, or {place: 1 or 0}."
        )
    _check_values(values)
    return np.array([int(value) for value in values], dtype=np.int8)


def _check_values(values: list[Any]) -> None:
    wrong = [value for value in values if not _is_number(value) or value not in VALUES]
    if wrong:
        raise InputError(
            f"A label must be 1 (relevant), 0 (not relevant) or -1 (unknown); got {listed(_unique(wrong), MOST)}."
        )


def _unique(values: list[Any]) -> list[Any]:
    return list({repr(value): value for value in values}.values())


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number | np.bool_)
