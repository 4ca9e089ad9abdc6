from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from keysift.learn.corrections import Said, away_from_read, correct, left_out_scores, trust_without_finds, with_answers
from keysift.learn.linear_fit import minimise_risk
from keysift.learn.view_fit import ViewFit, fit_view, fuse
from tests.learn.numbers import EVEN, PLAN, Numbers, two_views

Vector = NDArray[np.float64]
ANSWERED = st.integers(1, 12).flatmap(
    lambda size: st.tuples(
        arrays(np.float64, size, elements=st.floats(0, 3)), arrays(np.int8, size, elements=st.sampled_from([-1, 0, 1]))
    )
)


@given(answered=ANSWERED, weight=st.floats(0.1, 3))
def test_an_answer_decides_how_much_a_document_counts(answered: tuple[Vector, NDArray[np.int8]], weight: float) -> None:
    strength, answers = answered
    expected = [
        max(before, weight) if answer == 1 else 0.0 if answer == 0 else before
        for before, answer in zip(strength, answers, strict=True)
    ]
    assert with_answers(strength, answers, weight).tolist() == expected


def case(seed: int = 0, documents: int = 400) -> tuple[NDArray[np.bool_], dict[str, Numbers], Vector]:
    """Keywords that are right six times of ten."""
    rng = np.random.default_rng(seed)
    truth = rng.random(documents) < 0.4
    found = rng.random(documents) < np.where(truth, 0.24, 0.16)
    return truth, two_views(truth, 1.0, rng), found.astype(np.float64)


def fit_all(views: dict[str, Numbers], strength: Vector) -> dict[str, ViewFit]:
    return {name: fit_view(view, strength, PLAN, l2=0.1, steps=50) for name, view in views.items()}


def some(truth: NDArray[np.bool_], number: int) -> NDArray[np.int8]:
    return np.where(np.arange(len(truth)) < number, truth, -1).astype(np.int8)


@pytest.mark.parametrize("seed", range(3))
def test_answers_help_and_more_of_them_help_more(seed: int) -> None:
    truth, views, strength = case(seed)
    base = fit_all(views, strength)
    auc = []
    for number in (0, 40, 200):
        fits = correct(views, base, EVEN, some(truth, number), PLAN)
        auc.append(roc_auc_score(truth[200:], fuse(fits, EVEN)[200:]))
    assert auc[0] < auc[1] < auc[2]


@pytest.mark.parametrize("misleading", [False, True])
def test_with_many_answers_the_ranking_is_no_worse_than_logistic_regression(*, misleading: bool) -> None:
    ahead = []
    for seed in range(6):
        truth, views, strength = case(seed, 2000)
        base = fit_all(views, (~truth).astype(np.float64) if misleading else strength)
        fits = correct(views, base, EVEN, some(truth, 200), PLAN)
        X = np.hstack([np.asarray(view.X) for view in views.values()])
        model = LogisticRegression(C=10.0, class_weight="balanced").fit(X[:200], truth[:200])
        ours, theirs = fuse(fits, EVEN), model.decision_function(X)
        ahead.append(roc_auc_score(truth[200:], ours[200:]) - roc_auc_score(truth[200:], theirs[200:]))
    assert np.mean(ahead) > -0.005


def test_scores_are_those_of_the_coefficients_and_centred() -> None:
    truth, views, strength = case()
    for name, fit in correct(views, fit_all(views, strength), EVEN, some(truth, 50), PLAN).items():
        assert views[name].X @ fit.coef + fit.offset == pytest.approx(fit.scores, abs=1e-9)
        assert fit.scores.mean() == pytest.approx(0.0, abs=1e-9)


def test_without_an_answer_or_anything_to_compare_nothing_changes() -> None:
    truth, views, strength = case()
    base = fit_all(views, strength)
    for answer in (-1, 1):
        fits = correct(views, base, EVEN, np.full(len(truth), answer, dtype=np.int8), PLAN)
        assert all(fits[name] is base[name] for name in base)


def test_one_relevant_answer_moves_the_ranking_to_its_like() -> None:
    truth, views, strength = case()
    base = fit_all(views, strength)
    one = np.where(np.arange(len(truth)) == np.flatnonzero(truth)[0], 1, -1).astype(np.int8)
    like = views["near"].X @ views["near"].X[one == 1].ravel()
    before, after = (
        np.corrcoef(like, fuse(fits, EVEN))[0, 1] for fits in (base, correct(views, base, EVEN, one, PLAN))
    )
    assert before < after


def test_irrelevant_answers_alone_leave_the_ranking_as_it_is() -> None:
    """They may mean that the keywords mislead, or only that relevant documents are rare."""
    truth, views, strength = case()
    base = fit_all(views, strength)
    answers = np.full(len(truth), -1, dtype=np.int8)
    answers[np.argsort(-fuse(base, EVEN))[:15]] = 0
    np.testing.assert_array_equal(fuse(correct(views, base, EVEN, answers, PLAN), EVEN), fuse(base, EVEN))


def test_what_is_read_next_moves_away_from_irrelevant_answers_at_the_top() -> None:
    truth, views, strength = case()
    scores = fuse(fit_all(views, strength), EVEN)
    ranked = np.argsort(-scores)
    like = []
    for read in (ranked[-15:], ranked[:15]):
        answers = np.full(len(truth), -1, dtype=np.int8)
        answers[read] = 0
        like.append(float(np.corrcoef(scores, away_from_read(views, EVEN, scores, answers, PLAN.config))[0, 1]))
    assert like[0] == pytest.approx(1.0)
    assert like[1] < 0.9


@given(
    answers=arrays(np.int8, 60, elements=st.sampled_from([-1, 0])),
    scores=arrays(np.float64, 60, elements=st.floats(-5, 5), unique=True),
)
def test_trust_is_a_share_and_one_more_at_the_top_never_raises_it(answers: NDArray[np.int8], scores: Vector) -> None:
    trust = trust_without_finds(scores, answers, PLAN.config)
    assert 0 < trust <= 1
    answers[np.argmax(scores)] = 0
    assert trust_without_finds(scores, answers, PLAN.config) <= trust


def test_a_ranking_that_agrees_keeps_more_of_its_say_than_one_that_does_not() -> None:
    truth, views, _ = case()
    kept = []
    for strength in (truth.astype(np.float64), (~truth).astype(np.float64)):
        base = fit_all(views, strength)
        fits = correct(views, base, EVEN, some(truth, 60), PLAN)
        kept.append(np.corrcoef(fuse(fits, EVEN), fuse(base, EVEN))[0, 1])
    assert kept[0] > 0.9
    assert kept[1] < 0


def test_few_answers_change_little() -> None:
    truth, views, strength = case()
    base = fit_all(views, strength)
    first = np.array([np.flatnonzero(truth)[0], np.flatnonzero(~truth)[0]])
    few = np.full(len(truth), -1, dtype=np.int8)
    few[first] = (1, 0)
    fits = correct(views, base, EVEN, few, PLAN)
    assert np.corrcoef(fuse(fits, EVEN), fuse(base, EVEN))[0, 1] > 0.85


@given(
    answers=arrays(np.int8, 25, elements=st.sampled_from([-1, 0, 1])),
    known=arrays(np.bool_, 25),
    weight=st.floats(0, 5),
    seed=st.integers(0, 9),
    sparse=st.booleans(),
)
def test_left_out_scores_are_those_of_means_without_the_document(
    answers: NDArray[np.int8], known: NDArray[np.bool_], weight: float, seed: int, *, sparse: bool
) -> None:
    """The slow twin: leave each answer out, and take the means again."""
    X = np.random.default_rng(seed).normal(size=(25, 3)) * known[:, None]
    view = Numbers(sp.csr_array(X), known) if sparse else Numbers(X, known)
    config = replace(PLAN.config, unread_weight=weight)
    said = Said.of(answers, 25)
    found = left_out_scores(view, said, config)
    sets = [rows[known[rows]] for rows in (said.relevant, said.irrelevant, said.unread)]
    if len(sets[0]) < 2:
        assert not found.any()
        return
    share = 0.0 if len(sets[1]) < 2 else 1.0 if not len(sets[2]) else 1 / (1 + weight)

    def score(row: int) -> float:
        one, other, none = (X[rows[rows != row]] if place < 2 else X[rows] for place, rows in enumerate(sets))
        negative = share * other.mean(axis=0) if share else 0.0
        if len(none):
            negative = negative + (1 - share) * none.mean(axis=0)
        return float(X[row] @ (one.mean(axis=0) - negative))

    slow = {int(row): score(int(row)) for rows in sets for row in rows}
    usual = np.array([slow[int(row)] for row in sets[2]] if len(sets[2]) > 1 else list(slow.values()))
    expected = [(slow[int(row)] - usual.mean()) / (usual.std() or 1.0) if known[row] else 0.0 for row in said.rows]
    if usual.std() > 1e-9:
        assert found == pytest.approx(expected, abs=1e-6)


def test_each_view_learns_from_answers_against_those_that_were_not_read() -> None:
    """The slow twin: the same risk with every weight written down."""
    truth, views, strength = case()
    answers = some(truth, 50)
    base = {name: replace(fit, scores=0 * fit.scores) for name, fit in fit_all(views, strength).items()}
    plan = replace(PLAN, config=replace(PLAN.config, unread_weight=0.5, correction_tol=1e-7))
    fits = correct(views, base, EVEN, answers, plan)
    relevant, irrelevant = int(truth[:50].sum()), int((~truth[:50]).sum())
    negative = np.where(answers == 0, 1.0, np.where(answers < 0, 0.5 * irrelevant / (len(truth) - 50), 0.0))
    for name, view in views.items():
        coef, _ = minimise_risk(
            view.X,
            (answers == 1).astype(np.float64),
            negative,
            plan.loss,
            l2=plan.config.correction_l2 * (1 / relevant + 1 / irrelevant) / 2,
            max_iter=plan.config.max_iter,
            tol=1e-7,
        )
        assert np.corrcoef(fits[name].scores, view.X @ coef)[0, 1] > 0.9999


def test_documents_that_were_not_read_keep_the_ranking_of_the_rest() -> None:
    """Read best first, the answers differ along one axis only; the others must not be turned by them."""
    rng = np.random.default_rng(0)
    truth = rng.random(600) < 0.15
    X = rng.normal(size=(600, 12))
    X[:, 0] += 2.0 * truth
    views = {"only": Numbers(X - X.mean(axis=0))}
    base = fit_all(views, (truth & (rng.random(600) < 0.5)).astype(np.float64))
    top = np.argsort(-base["only"].scores)[:60]
    answers = np.full(600, -1, dtype=np.int8)
    answers[top] = truth[top]
    rest = answers < 0
    auc = []
    for weight in (0.0, 10.0):
        plan = replace(PLAN, config=replace(PLAN.config, unread_weight=weight))
        scores = correct(views, base, {"only": 1.0}, answers, plan)["only"].scores
        auc.append(roc_auc_score(truth[rest], scores[rest]))
    assert auc[1] > auc[0]


def test_documents_that_a_view_does_not_know_teach_it_nothing() -> None:
    truth, views, strength = case()
    known = np.arange(len(truth)) >= 30
    partly = {**views, "far": Numbers(np.asarray(views["far"].X) * known[:, None], known)}
    base = fit_all(partly, strength)
    fits = correct(partly, base, EVEN, some(truth, 30), PLAN)
    assert np.corrcoef(fits["far"].coef, base["far"].coef)[0, 1] == pytest.approx(1.0)
    assert not np.allclose(fits["near"].coef, base["near"].coef)
