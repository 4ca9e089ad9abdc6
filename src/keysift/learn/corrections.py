"""Answers: what a person said of some documents, beside what the keywords taught.

    sets       an answer decides how much its document counts as positive, whatever keywords and views say
               (`with_answers`)
    answers    every view learns a score of its own from the answers: it minimises the pairwise risk between the
               relevant answers and the irrelevant ones together with documents that were not read, plus l2/2 |w|^2
    trust      the ranking is a G + sum of b_v h_v, with G the score by keywords and h_v those by answers. The weights
               minimise the pairwise risk on the same sets, where an answer counts by its score with itself left out,
               plus a penalty on how far they are from where they start. Both penalties fall as answers come in

So keywords that agree with the answers keep their say and keywords that mislead lose it; the same decides between
views. All minimise the pairwise risk of a symmetric loss and tolerate mistaken answers.

What was not read holds a smaller share of relevant documents than the relevant answers do, which is all that a
symmetric loss needs (Theorem 2). Who reads best first sees only irrelevant documents that resemble relevant ones; what
was not read keeps the fit from what tells those two apart and nothing else.

Where nothing relevant was found yet, irrelevant answers at the top may mean that the keywords mislead, or only that
relevant documents are rare. Nobody can tell, so the ranking stays, and what is read next moves away from what was read
(`away_from_read`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.features.linear import Features
from keysift.features.view import FittedView
from keysift.learn.linear_fit import minimise_risk
from keysift.learn.teaching import taught
from keysift.learn.view_fit import FitPlan, Fits, Vector, ViewFit, fuse, mean_difference, seen_by, standardised

Rows = NDArray[np.int64]

TOP = 0.05
"""The share of the documents that is the top of a ranking: where relevant ones are expected."""


def with_answers(strength: NDArray[np.float64], answers: NDArray[np.int8], weight: float) -> NDArray[np.float64]:
    """A document that was judged relevant counts this much as positive, one that was judged irrelevant not at all.

    >>> with_answers(np.array([1.2, 0.8, 0.0]), np.array([0, -1, 1], dtype=np.int8), 1.0).tolist()
    [0.0, 0.8, 1.0]
    """
    return np.where(answers == 1, np.maximum(strength, weight), np.where(answers == 0, 0.0, strength))


@dataclass(frozen=True, eq=False)
class Said:
    """The documents by what was said of them."""

    relevant: Rows
    irrelevant: Rows
    unread: Rows
    """Some of those without an answer."""

    @classmethod
    def of(cls, answers: NDArray[np.int8], unread: int) -> "Said":
        """From 1 relevant, 0 not, -1 unknown; so many unread ones at most."""
        one, other, none = (np.flatnonzero(answers == answer) for answer in (1, 0, -1))
        return cls(one, other, some(none, unread))

    @property
    def rows(self) -> Rows:
        """All of them."""
        return np.concatenate([self.relevant, self.irrelevant, self.unread])

    def weights(self, unread: float) -> tuple[Vector, Vector]:
        """The weights of `rows` in the positive and in the negative set.

        The unread ones count `unread` times as much as the irrelevant ones, all together.

        >>> said = Said.of(np.array([1, 0, 0, -1, -1], dtype=np.int8), 10)
        >>> [weights.tolist() for weights in said.weights(0.5)]
        [[1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.5, 0.5]]
        """
        sizes = len(self.relevant), len(self.irrelevant), len(self.unread)
        each = unread * max(sizes[1], 1) / max(sizes[2], 1)
        return np.repeat([1.0, 0.0, 0.0], sizes), np.repeat([0.0, 1.0, each], sizes)

    @property
    def scarcity(self) -> float:
        """One for one answer of each kind; it falls as answers come in, and most with those of the rarer kind.

        >>> Said.of(np.array([1, 0, 0, 0, 0], dtype=np.int8), 10).scarcity
        0.625
        """
        return (1 / max(len(self.relevant), 1) + 1 / max(len(self.irrelevant), 1)) / 2

    def among(self, known: NDArray[np.bool_]) -> "Said":
        """Only those that a view knows."""
        return Said(*(rows[known[rows]] for rows in (self.relevant, self.irrelevant, self.unread)))


def correct(
    views: Mapping[str, FittedView],
    fits: Fits,
    weights: Mapping[str, float],
    answers: NDArray[np.int8],
    plan: FitPlan,
    keywords: Vector | None = None,
) -> dict[str, ViewFit]:
    """Correct every view by the answers: 1 relevant, 0 not, -1 unknown; `weights` are those of the views.

    `keywords` is the score that the fits give, where it is known already.

    Without a relevant answer, or anything to compare it with, nothing changes.
    """
    said = Said.of(answers, plan.config.unread_documents)
    compared = said.irrelevant if len(said.irrelevant) else said.unread
    if not len(said.relevant) or not len(compared):
        return dict(fits)
    counted = [name for name in fits if weights[name] > 0]
    keywords = fuse(taught(views, fits, plan.config), weights) if keywords is None else keywords
    deviation = float(keywords.std()) or 1.0
    own = {name: _from_answers(views[name], said, plan) for name in counted}
    left_out = [left_out_scores(views[name], said, plan.config) for name in counted]
    columns = np.column_stack([keywords[said.rows] / deviation, *left_out])
    trust, *shares = _trusted(columns, said, plan)
    moves = {name: share * deviation / weights[name] for name, share in zip(counted, shares, strict=True)}
    return {name: _sum(fit, trust, own.get(name, fit), moves.get(name, 0.0)) for name, fit in fits.items()}


def _from_answers(view: FittedView, said: Said, plan: FitPlan) -> ViewFit:
    """What the answers alone teach a view; zero where it knows no relevant one of them, or nothing to compare with."""
    config, known = plan.config, said.among(seen_by(view))
    positive, negative = known.weights(config.unread_weight)
    if not positive.any() or not negative.any():
        return standardised(view, np.zeros(view.X.shape[1]))
    coef, _ = minimise_risk(
        view.X[known.rows],
        positive,
        negative,
        plan.loss,
        l2=config.correction_l2 * known.scarcity,
        max_iter=config.max_iter,
        tol=config.correction_tol,
    )
    return standardised(view, coef)


def left_out_scores(view: FittedView, said: Said, config: LearnConfig) -> Vector:
    """Scores of `said.rows` by the difference between the mean of the relevant answers and that of the negative set.

    No answer is in the mean that scores it: what is told of a document must not be read off its own answer. Zero where
    the view does not know a document, and everywhere where it knows fewer than two relevant ones.
    """
    seen = seen_by(view)
    known = said.among(seen)
    relevant, irrelevant, unread = (view.X[rows] for rows in (known.relevant, known.irrelevant, known.unread))
    scores = np.zeros(len(said.rows))
    if len(known.relevant) < 2:
        return scores
    positive, negative = _mean(relevant), np.zeros(view.X.shape[1])
    share = 0.0
    if len(known.irrelevant) > 1:
        share = 1 / (1 + config.unread_weight) if len(known.unread) else 1.0
        negative = share * _mean(irrelevant)
    if len(known.unread):
        negative = negative + (1 - share) * _mean(unread)
    direction = positive - negative
    found = [relevant @ direction, irrelevant @ direction, unread @ direction]
    # Without a document x among n, their mean m is (n m - x) / (n - 1), which is m + (m - x) / (n - 1).
    found[0] = found[0] + (relevant @ positive - _squares(relevant)) / (len(known.relevant) - 1)
    if share:
        moved = (irrelevant @ _mean(irrelevant) - _squares(irrelevant)) / (len(known.irrelevant) - 1)
        found[1] = found[1] - share * moved
    usual = found[2] if len(known.unread) > 1 else np.concatenate(found)
    deviation = float(usual.std()) or 1.0
    scores[seen[said.rows]] = (np.concatenate(found) - usual.mean()) / deviation
    return scores


def _trusted(columns: Vector, said: Said, plan: FitPlan) -> Vector:
    """How much each score counts: that by keywords, then those by answers; none less than nothing."""
    config = plan.config
    start = np.array([1.0] + [config.answers_start] * (columns.shape[1] - 1))
    positive, negative = said.weights(config.trust_unread)
    if not negative.any():
        return start
    moved, _ = minimise_risk(
        columns,
        positive,
        negative,
        plan.loss,
        l2=config.trust_l2 * said.scarcity * (1 + config.few_answers / (len(said.relevant) + len(said.irrelevant))),
        offsets=columns @ start,
        max_iter=config.max_iter,
        tol=config.correction_tol,
    )
    return np.maximum(start + moved, 0.0)


def away_from_read(
    views: Mapping[str, FittedView],
    weights: Mapping[str, float],
    scores: Vector,
    answers: NDArray[np.int8],
    config: LearnConfig,
) -> Vector:
    """What to go by in reading while all answers are irrelevant: the scores, and away from what was read.

    The more of the answers are at the top, the further away.
    """
    trust = trust_without_finds(scores, answers, config)
    read = (answers == 0).astype(np.float64)
    alike = {name: mean_difference(view, read) for name, view in views.items()}
    return trust * scores - (1 - trust) * fuse(taught(views, alike, config), weights)


def trust_without_finds(scores: Vector, answers: NDArray[np.int8], config: LearnConfig) -> float:
    """How much the ranking still counts in what is read next, after irrelevant answers only.

    What counts against it is how many of them are at its top, less what as many documents drawn at random would have
    there; `doubt` such answers halve its say.

    >>> config = LearnConfig(doubt=5.0)
    >>> scores, answers = np.arange(100.0), np.full(100, -1, dtype=np.int8)
    >>> answers[95:] = 0  # the five best
    >>> round(trust_without_finds(scores, answers, config), 2)
    0.51
    >>> trust_without_finds(-scores, answers, config)
    1.0
    """
    irrelevant = answers == 0
    top = scores >= np.quantile(scores, 1 - TOP)
    against = max(0.0, float((irrelevant & top).sum()) - TOP * float(irrelevant.sum()))
    return config.doubt / (config.doubt + against) if against else 1.0


def _sum(fit: ViewFit, trust: float, other: ViewFit, share: float) -> ViewFit:
    """Both scores by their weights."""
    return ViewFit(
        trust * fit.coef + share * other.coef,
        trust * fit.offset + share * other.offset,
        trust * fit.scores + share * other.scores,
    )


def some(places: Rows, most: int) -> Rows:
    """So many places at most, at even steps.

    >>> some(np.arange(10), 4).tolist(), some(np.arange(3), 4).tolist()
    ([0, 2, 5, 7], [0, 1, 2])
    """
    return places if len(places) <= most else places[np.arange(most) * len(places) // most]


def _mean(X: Features) -> Vector:
    return np.asarray(X.sum(axis=0) / X.shape[0]).ravel()


def _squares(X: Features) -> Vector:
    """The square of the norm of each row."""
    return np.asarray((X * X).sum(axis=1)).ravel()
