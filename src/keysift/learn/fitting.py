"""From the split by keywords to a `ViewScorer`: choose how to learn, fit, and turn the views into scores of words."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.errors import KeysiftWarning, KeywordError, SettingError
from keysift.features.linear import Features, LinearModel
from keysift.features.prepared import Prepared, Progress
from keysift.features.view import FittedView, Part, Role, role_of
from keysift.features.views import ENCODER, NEGATION
from keysift.keywords.match import Matches
from keysift.learn.copies import Copies, make_copies
from keysift.learn.corrections import correct
from keysift.learn.cotraining import FitPlan, ViewFit, blend, fit_split, fuse
from keysift.learn.folds import Fold, document_folds, keyword_folds
from keysift.learn.linear_fit import History
from keysift.learn.nearest import Examples, Nearest, Similar, find_examples, fit_nearest, widened
from keysift.learn.negation import Negation, find_negation
from keysift.learn.neighbours import Neighbours, find_neighbours
from keysift.learn.quality import Quality, measure_quality, view_quality
from keysift.learn.scorer import Readable, ViewScorer, merged
from keysift.learn.split import Split
from keysift.learn.strategies import NEAR, Strategy, follow, seeds
from keysift.risk.losses import Loss
from keysift.text.languages import stop_word_set


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
        """Whether the fit of every view converged."""
        return all(history.converged for history in self.views.values())

    @property
    def message(self) -> str:
        """The names of the views."""
        return ", ".join(self.views)


def fit_views(
    prepared: Prepared,
    matches: Matches,
    split: Split,
    loss: Loss,
    *,
    answers: NDArray[np.int8] | None = None,
    progress: Progress,
    check: Callable[[], None] = lambda: None,
) -> tuple[ViewScorer, ViewHistory, Quality]:
    """Learn a ranking across the views of the documents."""
    config = prepared.config
    prepared.documents(progress)
    copies = make_copies(prepared, matches, progress)
    views = prepared.fitted_views(progress)
    roles = {view.name: role_of(view) for view in prepared.views}
    plan = FitPlan(loss, config, roles, check=check)
    others = np.setdiff1d(np.flatnonzero(~split.positive), matches.holders)
    folds = keyword_folds(matches, config.folds)
    masked = {name: view.transform(copies.masked) for name, view in views.items()}
    encoder, followed = _encoder_alone(views, masked, others, folds, plan)
    if not followed:
        del views[ENCODER], masked[ENCODER]
    negation = None
    if copies.negated is not None and ENCODER in views:
        negation = find_negation(views[ENCODER], copies.negated, others, config)
        if negation.leads:
            views[NEGATION] = negation
            masked[NEGATION] = _masked_negation(negation, copies)
            plan = replace(plan, roles={**roles, NEGATION: _negation_role(config)})
    strategies = _strategies(views, config)
    rng = np.random.default_rng(prepared.seed)
    neighbours = _neighbours(prepared, matches, views, answers, rng) if NEAR in strategies else None
    basis = "keywords"
    if not folds:
        # Documents that hold the same keyword are similar by that alone, which tells nothing of neighbours.
        strategies = [one for one in strategies if one != NEAR] or strategies
        folds, basis = document_folds(matches, split, rng), "documents"
    progress("Choosing without labels", 0.0)
    quality = measure_quality(
        views,
        masked,
        others,
        folds,
        basis,
        strategies=strategies,
        neighbours=neighbours,
        holders=matches.holders,
        plan=plan,
        rng=rng,
        progress=lambda done: progress("Choosing without labels", done),
    )
    progress("Choosing without labels", 1.0)
    quality = replace(quality, encoder=encoder, encoder_followed=followed)
    if negation is not None:
        quality = replace(quality, negation=negation.found, negation_followed=negation.leads)

    progress("Fitting all pairs", 0.0)
    if answers is not None:  # the choice above stays one without labels, and the prior's blind scores blind
        split, plan = split.with_answers(answers, config.answer_weight), replace(plan, answers=answers)
    base = fit_split(views, split, plan)
    history = ViewHistory({name: fit.history for name, fit in base.items() if fit.history is not None})
    if any(one.steps >= config.max_iter for one in history.views.values()):
        warnings.warn(
            f"A fit stopped after {config.max_iter} steps before it converged; raise max_iter or l2.",
            KeysiftWarning,
            stacklevel=4,
        )
    fits = _blended(views, base, split, quality, neighbours, plan, progress)
    if answers is not None:
        fits = correct(views, fits, answers, plan)
    if not any(fit.coef.any() for fit in fits.values()):
        raise KeywordError(
            f"The documents with and without a keyword look the same to {', '.join(views)}: nothing can be learned;"
            " use other views, or vectors='corpus' to learn word vectors from the documents."
        )
    nearest = None if neighbours is None else _nearest(prepared, neighbours, seeds(split, plan), quality)
    scorer = _scorer(views, fits, plan.weights(list(views)), prepared.vocabulary(), nearest)
    progress("Fitting all pairs", 1.0)
    return scorer, history, quality


def _negation_role(config: LearnConfig) -> Role:
    return Role("direction", config.negation_weight, config.negation_teaching, config.encoder_neighbour_weight)


def _masked_negation(negation: Negation, copies: Copies) -> Features:
    """Masked copies in the direction of negation; those that were negated, in the direction of the other half."""
    assert copies.negated is not None
    seen = np.asarray(negation.transform(copies.masked))
    seen[copies.negated.places] = negation.masked
    return seen


def _strategies(views: Mapping[str, FittedView], config: LearnConfig) -> list[Strategy]:
    """The strategies that are tried, or the one that was asked for."""
    if config.self_training == "neighbours":
        return [NEAR]
    if config.self_training != "auto":
        return [Strategy(float(config.self_training))]
    shares = config.encoder_shares if ENCODER in views else config.shares
    return [*map(Strategy, shares), *([NEAR] if _sparse(views) is not None else [])]


def _encoder_alone(
    views: Mapping[str, FittedView],
    masked: Mapping[str, Features],
    others: NDArray[np.int64],
    folds: Sequence[Fold],
    plan: FitPlan,
) -> tuple[float, bool]:
    """How well the sentence vectors find left-out keywords, and whether to learn from them."""
    words = {name: view for name, view in views.items() if name != ENCODER}
    if ENCODER not in views or not words:
        return float("nan"), True
    value, by_chance = view_quality({ENCODER: views[ENCODER]}, masked, others, folds, plan)
    # Where words find nothing either, that is no reason to drop the sentence vectors.
    return value, not by_chance or view_quality(words, masked, others, folds, plan)[1]


def _sparse(views: Mapping[str, FittedView]) -> sp.csr_array | None:
    """The features in which neighbours are found: those of single words."""
    return next((view.X for view in views.values() if isinstance(view.X, sp.csr_array)), None)


def _neighbours(
    prepared: Prepared,
    matches: Matches,
    views: Mapping[str, FittedView],
    answers: NDArray[np.int8] | None,
    rng: np.random.Generator,
) -> Neighbours:
    """The nearest documents of each; of very many, a sample that keeps those with a keyword or an answer."""
    X = _sparse(views)
    if X is None:
        raise SettingError(
            "Neighbours are found in the view tfidf; add it to the views, or choose another self_training."
        )
    config = prepared.config
    if _compares_all(prepared):
        return prepared.once("neighbours", lambda: find_neighbours(X, np.empty(0, dtype=np.int64), rng, config))
    keep = matches.holders
    if answers is not None:
        keep = np.union1d(keep, np.flatnonzero(answers >= 0))
    return find_neighbours(X, keep, rng, config)


def _compares_all(prepared: Prepared) -> bool:
    """Whether all documents are compared with all, so that the neighbours do not depend on the keywords."""
    return len(prepared) <= prepared.config.most_compared


def _blended(
    views: Mapping[str, FittedView],
    base: Mapping[str, ViewFit],
    split: Split,
    quality: Quality,
    neighbours: Neighbours | None,
    plan: FitPlan,
    progress: Progress,
) -> dict[str, ViewFit]:
    """Every strategy that counts, blended by its weight."""
    config = plan.config
    rounds = config.rounds * (config.encoder_patience if ENCODER in views else 1)
    many = []
    for number, trial in enumerate(quality.trials):
        if trial.weight > config.negligible:
            many.append((trial.weight, follow(trial.strategy, views, base, split, rounds, plan, neighbours)))
        progress("Fitting all pairs", 0.8 * (number + 1) / len(quality.trials))
    return blend(many)


def _nearest(prepared: Prepared, neighbours: Neighbours, split: Split, quality: Quality) -> Nearest | None:
    """The score by similar documents, where neighbours count."""
    config = prepared.config
    near = sum(trial.weight for trial in quality.trials if trial.strategy == NEAR)
    if near <= config.negligible or not len(neighbours.documents):
        return None
    examples, similar = similar_documents(prepared, neighbours)
    values = neighbours.reached(split)[neighbours.documents]
    return fit_nearest(examples, similar, values, config.example_weight * near, config.example_sample)


def similar_documents(prepared: Prepared, neighbours: Neighbours) -> tuple[Examples, Similar]:
    """The training documents as examples, and the most similar ones of each training document."""

    def find() -> tuple[Examples, Similar]:
        silent = prepared.tokens.words.is_in(list(stop_word_set(prepared.settings.stop_words))).to_numpy()
        words = len(prepared.vocabulary())
        examples = find_examples(prepared.counts, silent, neighbours.documents, words, prepared.config)
        return examples, examples.similar(widened(prepared.counts, words))

    return prepared.once("similar", find) if _compares_all(prepared) else find()


def readable(prepared: Prepared, scorer: ViewScorer) -> Readable:
    """The training documents as the scorer reads them; only their examples may depend on the keywords."""
    vectors = prepared.documents().vectors
    documents = prepared.once("readable", lambda: scorer.prepare(prepared.tokens, prepared.counts, vectors))
    known = prepared.memo.get("similar")
    if scorer.nearest is None or known is None or known[0] is not scorer.nearest.examples:
        return documents
    return replace(documents, similar=known[1])


def _scorer(
    views: Mapping[str, FittedView],
    fits: Mapping[str, ViewFit],
    weights: Mapping[str, float],
    words: pl.Series,
    nearest: Nearest | None,
) -> ViewScorer:
    parts: list[Part] = []
    encoder: LinearModel | None = None
    for name, fit in fits.items():
        part = views[name].part(weights[name] * fit.coef, words)
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
