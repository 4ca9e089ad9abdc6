"""What is left out to measure a ranking without labels: some of the keywords, or some of their documents."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.errors import KeywordError
from keysift.keywords.match import Matches
from keysift.learn.pseudo_labels import pseudo_label
from keysift.learn.split import Split


@dataclass(frozen=True, eq=False)
class Fold:
    """What is left out, and what the rest learns from."""

    split: Split
    """By the keywords that stay; documents that hold only a left-out one do not count."""
    left_out: NDArray[np.int64]
    """Places, among the documents with a keyword, of those that hold only left-out ones."""


def keyword_folds(matches: Matches, folds: int) -> list[Fold]:
    """Leave out some of the keywords at a time; there is no fold if fewer than two find anything."""
    occurrences = matches.occurrences
    found = np.bincount(occurrences.indices, minlength=occurrences.shape[1])
    if (found > 0).sum() < 2:
        return []
    fold_of = deal(found, folds)
    made = []
    for fold in range(fold_of.max() + 1):
        stay = np.flatnonzero(fold_of != fold)
        split = split_by(matches.only(stay.tolist()))
        left_out = np.flatnonzero(np.asarray(occurrences[:, stay].sum(axis=1)).ravel() == 0)
        if split is not None:
            made.append(Fold(split.without(matches.holders[left_out]), left_out))
    return made


def document_folds(matches: Matches, split: Split, rng: np.random.Generator) -> list[Fold]:
    """Leave out one half of the documents with a keyword, then the other."""
    half = rng.permutation(len(matches.holders)) % 2
    made = []
    for fold in (0, 1):
        left_out = np.flatnonzero(half == fold)
        rest = split.without(matches.holders[left_out])
        if rest.positive.any():
            made.append(Fold(rest, left_out))
    return made


def split_by(matches: Matches) -> Split | None:
    """The split that these matches make; None where they find nothing, or everything."""
    try:
        labels = pseudo_label(matches.found, phi=matches.settings.phi)
    except KeywordError:
        return None
    return Split.of(labels.positive, labels.similarity)


def deal(documents: NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """Deal the keywords to folds, the most frequent first, back and forth, so that the folds are about equal.

    >>> deal(np.array([5, 50, 20, 1]), folds=2).tolist()
    [1, 0, 1, 0]
    """
    order = np.argsort(-documents, kind="stable")
    turns = np.arange(len(order))
    fold = np.empty(len(order), dtype=np.int64)
    fold[order] = np.where((turns // folds) % 2 == 0, turns % folds, folds - 1 - turns % folds)
    return fold
