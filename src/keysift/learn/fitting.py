"""From the keywords to a `ViewScorer`: fit every view, look for the opposite, self-train where that can be trusted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.errors import KeywordError, warn
from keysift.features.linear import LinearModel
from keysift.features.masked import mask
from keysift.features.prepared import Prepared, Progress
from keysift.features.sentences import FittedSentences
from keysift.features.view import CharacterPart, Documents, FittedView, NeighbourPart, Part, role_of
from keysift.features.views import NEIGHBOURS, OF_VECTORS, SENTENCES, WORDS
from keysift.keywords.match import Matches
from keysift.learn.corrections import away_from_read, correct, with_answers
from keysift.learn.linear_fit import History
from keysift.learn.opposite import NONE, Opposite, find_opposite
from keysift.learn.quality import Quality, measure_quality
from keysift.learn.scorer import ViewScorer, merged
from keysift.learn.self_training import barred, self_train
from keysift.learn.strength import strength, weighted_median
from keysift.learn.teaching import taught, teach
from keysift.learn.verdicts import mask_words
from keysift.learn.view_fit import FitPlan, Fits, ViewFit, fit_view, fuse, seen_by, standardised
from keysift.learn.word_means import word_means
from keysift.risk.losses import Loss


@dataclass(frozen=True)
class ViewHistory:
    """How the fits to the keywords went, view by view."""

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
        """Whether the fit of every view converged."""
        return all(history.converged for history in self.views.values())

    @property
    def message(self) -> str:
        """The names of the views."""
        return ", ".join(self.views)


@dataclass(frozen=True, eq=False)
class KeywordFit:
    """All that was learned before the answers corrected it, so that one more answer costs only its correction."""

    views: Mapping[str, FittedView]
    fits: Fits
    weights: Mapping[str, float]
    """How much each view counts in the score."""
    away: ViewFit
    """The score along the direction away from the opposite."""
    share: float
    """How much that counts."""
    plan: FitPlan
    history: ViewHistory
    quality: Quality

    def scorer(self, prepared: Prepared, answers: NDArray[np.int8] | None = None) -> ViewScorer:
        """The model, corrected by answers where there are any; nothing else is learned."""
        fits, share = self.fits, self.share
        if answers is not None:  # which decide on the direction away from the opposite as well
            fits, share = correct(self.views, self._one_score, self.weights, answers, self.plan, self._by_keywords), 0.0
        if not any(fit.coef.any() for fit in fits.values()):
            raise KeywordError(
                f"The documents with a keyword look like all others to {', '.join(self.views)}: nothing can be learned;"
                " use other keywords or views."
            )
        return _scorer(self.views, fits, self.weights, self.away, share, prepared, self.quality.two_sides)

    def to_read(self, scores: NDArray[np.float64], answers: NDArray[np.int8]) -> NDArray[np.float64] | None:
        """What to go by in reading where all answers are irrelevant; None where the scores serve."""
        if (answers == 1).any() or not (answers == 0).any():
            return None
        return away_from_read(self.views, self.weights, scores, answers, self.plan.config)

    @cached_property
    def _by_keywords(self) -> NDArray[np.float64]:
        """The score of each training document before any answer."""
        return fuse(taught(self.views, self._one_score, self.plan.config), self.weights)

    @cached_property
    def _one_score(self) -> Fits:
        """The fits, where the score of the sentences includes the direction away from the opposite."""
        if not len(self.away.coef):
            return self.fits
        fit, away, share = self.fits[SENTENCES], self.away, self.share / self.weights[SENTENCES]
        scores = fit.scores + share * away.scores
        whole = replace(fit, coef=fit.coef + share * away.coef, offset=fit.offset + share * away.offset, scores=scores)
        return {**self.fits, SENTENCES: whole}


def fit_views(
    prepared: Prepared,
    matches: Matches,
    loss: Loss,
    *,
    answers: NDArray[np.int8] | None = None,
    progress: Progress,
    check: Callable[[], None] = lambda: None,
) -> tuple[ViewScorer, KeywordFit]:
    """Learn a ranking across the views of the documents; the answers also decide who is in the keywords' set."""
    config = prepared.config
    prepared.documents(progress, first=matches.holders)
    views = prepared.fitted_views(progress)
    weights = {view.name: role_of(view).weight for view in prepared.views}
    if WORDS in weights:
        weights[WORDS] *= say_of_words(np.diff(prepared.counts.indptr), config, prepared.weights)
    plan = FitPlan(loss, config, check, prepared.weights)
    positive = strength(matches, weights=prepared.weights, config=config)
    opposite = find_opposite(prepared, matches, positive, progress) if SENTENCES in views else NONE

    progress("Measuring without labels", 0.0)
    quality = measure_quality(_without_keywords(prepared, matches, views), matches, weights, plan)
    quality = replace(quality, opposite=max(opposite.cosine, 0.0))
    if not quality.gathers:
        views.pop(NEIGHBOURS, None)
    progress("Measuring without labels", 1.0)

    progress("Fitting all pairs", 0.0)
    if answers is not None:  # what was measured above stays without labels
        positive = with_answers(positive, answers, config.answer_weight)
    if not positive.any():
        raise KeywordError(
            'No document speaks for the keywords: wherever one is found, it is denied ("not great"), or the document'
            " was judged irrelevant. Use other keywords; in Python LearnConfig(denied=0) counts denied ones, too."
        )
    fits: dict[str, ViewFit] = {}
    for number, (name, view) in enumerate(views.items()):
        fits[name] = fit_view(view, positive, plan, l2=config.l2, steps=config.max_iter)
        progress("Fitting all pairs", 0.5 * (number + 1) / len(views))
    history = ViewHistory({name: fit.history for name, fit in fits.items() if fit.history is not None})
    if any(one.steps >= config.max_iter for one in history.views.values()):
        warn(f"A fit stopped after {config.max_iter} steps before it converged; raise max_iter or l2.")
    never = barred(matches.excluded, answers)
    away = _away(views, opposite, plan.weights)
    share = config.opposite_weight * max(opposite.cosine, 0.0) ** 2
    if quality.two_sides:
        fits = self_train(views, fits, positive, weights, share * away.scores, plan, never)
    fitted = KeywordFit(views, fits, weights, away, share, replace(plan, check=_go_on), history, quality)
    scorer = fitted.scorer(prepared, answers)
    progress("Fitting all pairs", 1.0)
    return scorer, fitted


def say_of_words(lengths: NDArray[np.int64], config: LearnConfig, counted: NDArray[np.float64] | None = None) -> float:
    """How much the words count: less where documents have few of them; `counted` says how many each stands for.

    >>> round(say_of_words(np.array([3, 3, 40]), LearnConfig(few_words=5.0)), 3)
    0.375
    """
    median = float(np.median(lengths)) if counted is None else weighted_median(lengths, counted)
    return median / max(median + config.few_words, 1e-12)


def _go_on() -> None:
    """Later corrections have nobody to ask whether to stop."""


def _without_keywords(prepared: Prepared, matches: Matches, views: Mapping[str, FittedView]) -> dict[str, FittedView]:
    """The views of the documents with every keyword masked, so that none is found by its own letters.

    Sentence vectors stay as they are: encoding again would cost more than this is worth.
    """
    counts = mask_words(prepared.tokens, prepared.counts, [(word,) for word in matches.own_words])
    rows = np.flatnonzero(np.diff(counts.indptr) < np.diff(prepared.counts.indptr))
    vectors = prepared.documents().vectors
    others = Documents(counts[rows], None if vectors is None else vectors[rows])
    return {name: view if name in OF_VECTORS else mask(view, rows, others) for name, view in views.items()}


def _away(views: Mapping[str, FittedView], opposite: Opposite, weights: NDArray[np.float64] | None) -> ViewFit:
    """The score along the direction away from the opposite, over sentence vectors."""
    view = views.get(SENTENCES)
    if not isinstance(view, FittedSentences) or not opposite.direction.any():
        rows = next(iter(views.values())).X.shape[0]
        return ViewFit(np.zeros(0), 0.0, np.zeros(rows))
    return standardised(view, opposite.direction, weights=weights)


def _scorer(
    views: Mapping[str, FittedView],
    fits: Fits,
    weights: Mapping[str, float],
    away: ViewFit,
    share: float,
    prepared: Prepared,
    two_sides: bool,
) -> ViewScorer:
    words, config = prepared.vocabulary(), prepared.config
    parts: list[Part] = []
    characters: CharacterPart | None = None
    encoder: LinearModel | None = None
    neighbours: NeighbourPart | None = None
    standing_in: Part | None = None
    heard = np.zeros(next(iter(views.values())).X.shape[0])
    for name, fit in fits.items():
        coef, offset = weights[name] * fit.coef, weights[name] * fit.offset
        if name == SENTENCES and len(away.coef):
            coef, offset = coef + share * away.coef, offset + share * away.offset
        part = views[name].part(coef, words)
        if not seen_by(views[name]).any():
            continue  # there was no time to encode any document
        if isinstance(part, LinearModel):
            encoder = LinearModel(part.coef, part.offset + offset)
        elif isinstance(part, NeighbourPart):
            neighbours = replace(part, offset=part.offset + offset)
        elif isinstance(part, CharacterPart):
            characters = replace(part, offset=part.offset + offset)
        else:
            parts.append(Part(part.rows, part.scores, part.offset + offset))
        if name in OF_VECTORS:
            heard += np.asarray(views[name].X @ coef) + offset
    if encoder is not None and SENTENCES in views:
        standing_in, heard = _standing_in(views, heard, words, config, always=prepared.weights is not None)
    total = heard + sum(weights[name] * fit.scores for name, fit in fits.items() if name not in OF_VECTORS)
    if WORDS in views and config.means_weight:
        part, added = word_means(prepared.counts, total, config, two_sides=two_sides, counted=prepared.weights)
        parts.append(part)
        total = total + added
    lowest = -np.inf
    if encoder is not None or characters is not None:
        lowest = float(2 * total.min() - total.max() - 1)
    return ViewScorer(words, merged(parts), encoder, lowest, characters, standing_in, neighbours)


def _standing_in(
    views: Mapping[str, FittedView],
    scores: NDArray[np.float64],
    words: pl.Series,
    config: LearnConfig,
    *,
    always: bool = False,
) -> tuple[Part | None, NDArray[np.float64]]:
    """What stands in for the sentence vector of a document that was not encoded; `always`, or where there is one.

    And the scores, with those of the words where a document was not encoded.
    """
    known = seen_by(views[SENTENCES])
    if (known.all() and not always) or not known.any() or WORDS not in views:
        return None, np.where(known, scores, 0.0)
    view = views[WORDS]
    learned = teach(view, scores, known, config)
    part = view.part(learned.coef, words)
    assert isinstance(part, Part)
    heard = np.where(known, scores, view.X @ learned.coef + learned.offset)
    return Part(part.rows, part.scores, part.offset + learned.offset), heard
