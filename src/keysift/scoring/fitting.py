"""From the split by keywords to a `ViewScorer`: read the views, choose how far to believe them, fit, and tell words."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import KeysiftWarning, KeywordError, SettingError
from keysift.learning import (
    NEAR,
    Denial,
    Denied,
    Fold,
    Neighbours,
    Plan,
    Quality,
    Split,
    ViewFit,
    Way,
    blend,
    correct,
    deal,
    find_denial,
    find_neighbours,
    fit_split,
    found_alone,
    fuse,
    learn,
    measure_quality,
    seeds,
)
from keysift.losses import Loss
from keysift.models import Features, LinearModel
from keysift.scoring.nearest import Nearest, find_nearest
from keysift.scoring.views import ViewScorer, merged
from keysift.settings import Settings
from keysift.text import stop_word_set
from keysift.training import History
from keysift.views import Documents, Part, Reading, View

__all__ = ["ViewHistory", "Work", "fit_views"]

WEIGHTS = {"encoder": 8.0, "denial": 4.0}
"""How much a view counts among the others, where it is not 1: an encoder twice as much as the four views of words, and
the direction of denied keywords as much as these."""
SHARES = (0.0, 0.1, 0.5)
"""Shares of documents to believe in that are tried; zero is the keywords alone."""
ENCODER_SHARES = (0.0, 0.1, 0.2, 0.5)
ENCODER_PATIENCE = 3
"""An encoder goes on learning after words have nothing new to say: so many times as many rounds."""
TRIED_ROUNDS = 2
"""Enough to compare shares."""
KNOWN_WORDS = 100_000
"""So many words of the word vectors, the most frequent ones in a file that is sorted so, have a score even if no
training document holds them."""
EXAMPLES = 5.0
"""How much the score by the nearest documents counts where only neighbours are learned from: about as much as the four
views of words together, which count 4 then (`keysift.learning.ways`)."""
NEGLIGIBLE = 0.01
"""What counts less in the blend is left out."""

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class ViewHistory:
    """How the fits to the split by keywords went, view by view."""

    views: Mapping[str, History]

    @property
    def steps(self) -> int:
        """How many steps were taken, over all views."""
        return sum(history.steps for history in self.views.values())

    @property
    def risk(self) -> tuple[float, float]:
        """The corrupted risk before and after, the mean of the views."""
        risks = [history.risk for history in self.views.values()]
        return float(np.mean([risk[0] for risk in risks])), float(np.mean([risk[-1] for risk in risks]))

    @property
    def converged(self) -> bool:
        """Whether every view arrived."""
        return all(history.converged for history in self.views.values())

    @property
    def message(self) -> str:
        """The views."""
        return ", ".join(self.views)


@dataclass(frozen=True, eq=False)
class Work:
    """What the keywords found in the training documents: all that a fit needs of them."""

    documents: Documents
    words: pl.Series
    split: Split
    keyword_documents: NDArray[np.int64]
    """The documents that hold a keyword, not only a word near one."""
    hidden: Documents
    """The same documents with every keyword removed."""
    holds: sp.csr_array
    """Which of the keywords (columns) each of them holds."""
    split_by: Callable[[Sequence[int]], Split | None]
    """The split by some of the keywords alone; None where they split nothing."""
    answers: NDArray[np.int8] | None = None
    """What a person said of each document: 1 relevant, 0 not, -1 nothing."""
    denied: Denied | None = None
    """Some of the documents with a keyword, and the same with it denied, for a sentence encoder."""

    @property
    def others(self) -> NDArray[np.int64]:
        """The documents that are not in the positive set and hold no keyword."""
        return np.setdiff1d(np.flatnonzero(~self.split.positive), self.keyword_documents)


def fit_views(
    work: Work,
    views: Sequence[View],
    vocabulary: pl.Series,
    loss: Loss,
    settings: Settings,
    seed: int,
    progress: Progress,
) -> tuple[ViewScorer, ViewHistory, Quality]:
    """Learn a ranking across the views; `vocabulary` are words that get a score beside those of the documents."""
    readings: dict[str, Reading] = {}
    for number, view in enumerate(views):
        progress("Reading views", number / len(views))
        readings[view.name] = _checked(view.name, view.read(work.documents, work.words), work.documents)
    progress("Reading views", 1.0)
    plan = Plan(loss, settings.l2, settings.round_l2, settings.max_iter, settings.tol)
    folds = _keyword_folds(work)
    hidden = {name: reading.features(work.hidden) for name, reading in readings.items()}
    encoder, followed = _encoder_alone(work, readings, hidden, folds, plan)
    if not followed:
        del readings["encoder"], hidden["encoder"]
    denial = _denial(work, readings)
    if denial is not None and denial.leads:
        readings["denial"] = denial
    weights = {name: WEIGHTS.get(name, 1.0) for name in readings}
    ways = _ways(readings, settings)
    rng = np.random.default_rng(seed)
    neighbours = _neighbours(work, readings, rng) if NEAR in ways else None
    quality = _choose(work, readings, hidden, weights, ways, folds, neighbours, plan, settings, rng, progress)
    quality = replace(quality, encoder=encoder, encoder_followed=followed)
    if denial is not None:
        quality = replace(quality, denial=denial.found, denial_followed=denial.leads)

    progress("Fitting all pairs", 0.0)
    split = work.split
    if work.answers is not None:  # the choice above stays one without labels, and the prior's blind scores blind
        split, plan = split.with_answers(work.answers), replace(plan, answers=work.answers)
    base = fit_split(readings, split, plan)
    history = ViewHistory({name: fit.history for name, fit in base.items() if fit.history is not None})
    if any(one.steps >= settings.max_iter for one in history.views.values()):
        warnings.warn(
            f"A fit stopped after {settings.max_iter} steps without arriving; raise max_iter or l2.",
            KeysiftWarning,
            stacklevel=4,
        )
    rounds = settings.rounds * (ENCODER_PATIENCE if "encoder" in readings else 1)
    many = []
    for number, trial in enumerate(quality.trials):
        if trial.weight > NEGLIGIBLE:
            many.append((trial.weight, learn(trial.way, readings, base, split, rounds, plan, neighbours)))
        progress("Fitting all pairs", 0.8 * (number + 1) / len(quality.trials))
    fits = blend(many)
    if work.answers is not None:
        fits = correct(readings, fits, work.answers, plan)
    if not any(fit.coef.any() for fit in fits.values()):
        raise KeywordError(
            f"The documents with and without a keyword look the same to {', '.join(readings)}: nothing can be learned;"
            " use other views, or vectors='corpus' to learn word vectors from the documents."
        )
    words = pl.concat([work.words.rename("word"), vocabulary.head(KNOWN_WORDS).rename("word")])
    words = words.unique(maintain_order=True)
    nearest = None
    near = sum(trial.weight for trial in quality.trials if trial.way == NEAR)
    if neighbours is not None and near > NEGLIGIBLE and len(neighbours.documents):
        silent = work.words.is_in(list(stop_word_set(settings.stop_words))).to_numpy()
        reached = neighbours.reached(seeds(split, plan))
        weight = EXAMPLES * near
        nearest = find_nearest(work.documents.counts, silent, neighbours.documents, reached, len(words), weight)
    scorer = _scorer(readings, fits, weights, words, nearest)
    progress("Fitting all pairs", 1.0)
    return scorer, history, quality


def _checked(name: str, reading: Reading, documents: Documents) -> Reading:
    """A reading whose features can be learned from; a view may be anybody's."""
    X = getattr(reading, "X", None)
    rows = documents.counts.shape[0]
    if not (isinstance(X, np.ndarray | sp.csr_array) and X.ndim == 2 and X.shape[0] == rows and X.dtype == np.float64):
        got = "nothing" if X is None else f"{type(X).__name__} of {X.dtype} {X.shape}" if hasattr(X, "dtype") else X
        raise SettingError(
            f"The view {name!r} must read {rows} documents into X, an array or csr_array of float64 with a row for"
            f" each; got {got!s:.80}."
        )
    if not np.isfinite(X.data if isinstance(X, sp.csr_array) else X).all():
        raise SettingError(f"The view {name!r} has NaN or infinity among its features; every number must be finite.")
    return reading


def _ways(readings: Mapping[str, Reading], settings: Settings) -> list[Way]:
    """Those that are tried, or the one that was asked for."""
    if settings.believe == "neighbours":
        return [NEAR]
    if settings.believe != "auto":
        return [Way(float(settings.believe))]
    shares = ENCODER_SHARES if "encoder" in readings else SHARES
    return [*map(Way, shares), *([NEAR] if "tfidf" in readings else [])]


def _encoder_alone(
    work: Work,
    readings: Mapping[str, Reading],
    hidden: Mapping[str, Features],
    folds: Sequence[Fold],
    plan: Plan,
) -> tuple[float, bool]:
    """How well the sentence vectors find left-out keywords, and whether to learn from them."""
    words = {name: reading for name, reading in readings.items() if name != "encoder"}
    if "encoder" not in readings or not words:
        return float("nan"), True

    value, by_chance = found_alone({"encoder": readings["encoder"]}, hidden, work.others, folds, plan)
    # Where words find nothing either, nobody knows.
    return value, not by_chance or found_alone(words, hidden, work.others, folds, plan)[1]


def _denial(work: Work, readings: Mapping[str, Reading]) -> Denial | None:
    """The view of denied keywords, where there are any."""
    if work.denied is None or "encoder" not in readings:
        return None
    return find_denial(readings["encoder"], work.denied, work.others)


def _neighbours(work: Work, readings: Mapping[str, Reading], rng: np.random.Generator) -> Neighbours:
    if "tfidf" not in readings:
        raise SettingError("Neighbours are found in the view tfidf; add it to the views, or believe in something else.")
    X = readings["tfidf"].X
    assert isinstance(X, sp.csr_array)
    keep = work.keyword_documents
    if work.answers is not None:
        keep = np.union1d(keep, np.flatnonzero(work.answers >= 0))
    return find_neighbours(X, keep, rng)


def _choose(
    work: Work,
    readings: Mapping[str, Reading],
    hidden: dict[str, Features],
    weights: Mapping[str, float],
    ways: Sequence[Way],
    folds: Sequence[Fold],
    neighbours: Neighbours | None,
    plan: Plan,
    settings: Settings,
    rng: np.random.Generator,
    progress: Progress,
) -> Quality:
    """Measure the quality of every way of learning."""
    basis = "keywords"
    if not folds:
        # Documents that hold the same keyword are alike by that alone, which tells nothing of neighbours.
        folds, basis, ways = _document_folds(work, rng), "documents", [way for way in ways if way != NEAR] or ways
    progress("Choosing without labels", 0.0)
    denial = readings.get("denial")
    if isinstance(denial, Denial) and work.denied is not None:
        seen = np.asarray(denial.features(work.hidden))
        seen[work.denied.places] = denial.hidden
        hidden["denial"] = seen
    quality = measure_quality(
        readings,
        hidden,
        work.others,
        folds,
        basis,
        weights=weights,
        ways=ways,
        neighbours=neighbours,
        holders=work.keyword_documents,
        rounds=min(settings.rounds, TRIED_ROUNDS),
        plan=plan,
        rng=rng,
        progress=lambda done: progress("Choosing without labels", done),
    )
    progress("Choosing without labels", 1.0)
    return quality


def _keyword_folds(work: Work) -> list[Fold]:
    """Leave out some of the keywords at a time."""
    keywords = work.holds.shape[1]
    found = np.bincount(work.holds.indices, minlength=keywords)
    if (found > 0).sum() < 2:
        return []
    fold_of = deal(found)
    folds = []
    for fold in range(fold_of.max() + 1):
        stay = np.flatnonzero(fold_of != fold)
        split = work.split_by(stay.tolist())
        held = np.flatnonzero(np.asarray(work.holds[:, stay].sum(axis=1)).ravel() == 0)
        if split is not None:
            folds.append(Fold(_without(split, work.keyword_documents[held]), held))
    return folds


def _document_folds(work: Work, rng: np.random.Generator) -> list[Fold]:
    """Leave out one half of the documents with a keyword, then the other."""
    half = rng.permutation(len(work.keyword_documents)) % 2
    folds = []
    for fold in (0, 1):
        held = np.flatnonzero(half == fold)
        split = _without(work.split, work.keyword_documents[held])
        if split.positive.any():
            folds.append(Fold(split, held))
    return folds


def _without(split: Split, documents: NDArray[np.int64]) -> Split:
    """The split with some documents in neither set: as negatives without weight."""
    positive, weights = split.positive.copy(), split.weights.copy()
    positive[documents], weights[documents] = False, 0.0
    return Split(positive, weights)


def _scorer(
    readings: Mapping[str, Reading],
    fits: Mapping[str, ViewFit],
    weights: Mapping[str, float],
    words: pl.Series,
    nearest: Nearest | None,
) -> ViewScorer:
    parts: list[Part] = []
    encoder: LinearModel | None = None
    for name, fit in fits.items():
        part = readings[name].part(weights[name] * fit.coef, words)
        offset = weights[name] * fit.offset
        if isinstance(part, LinearModel):
            before = LinearModel(np.zeros_like(part.coef), 0.0) if encoder is None else encoder
            encoder = LinearModel(before.coef + part.coef, before.offset + part.offset + offset)
        else:
            parts.append(Part(part.rows, part.scores, part.offset + offset))
    lowest = -np.inf
    if encoder is not None:
        total = fuse(fits, weights)
        lowest = float(2 * total.min() - total.max() - 1) + (0.0 if nearest is None else nearest.offset)
    return ViewScorer(words, merged(parts), encoder, lowest, nearest)
