import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.learn.corrections import correct, with_answers
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
        fits = correct(views, base, some(truth, number), PLAN)
        auc.append(roc_auc_score(truth[200:], fuse(fits, EVEN)[200:]))
    assert auc[0] < auc[1] < auc[2]


def test_scores_are_those_of_the_coefficients_and_centred() -> None:
    truth, views, strength = case()
    for name, fit in correct(views, fit_all(views, strength), some(truth, 50), PLAN).items():
        assert views[name].X @ fit.coef + fit.offset == pytest.approx(fit.scores, abs=1e-9)
        assert fit.scores.mean() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("answer", [-1, 0, 1])
def test_answers_of_one_kind_change_nothing(answer: int) -> None:
    truth, views, strength = case()
    base = fit_all(views, strength)
    fits = correct(views, base, np.where(np.arange(len(truth)) < 9, answer, -1).astype(np.int8), PLAN)
    assert all(fits[name] is base[name] for name in base)


def test_a_ranking_that_agrees_is_changed_less_than_one_that_does_not() -> None:
    truth, views, _ = case()
    answers = some(truth, 60)
    moved = []
    for strength in (truth.astype(np.float64), (~truth).astype(np.float64)):
        base = fit_all(views, strength)
        fits = correct(views, base, answers, PLAN)
        moved.append(sum(np.linalg.norm(fits[name].coef - base[name].coef) for name in base))
    assert 0 < moved[0] < moved[1]


def test_few_answers_change_little() -> None:
    truth, views, strength = case()
    base = fit_all(views, strength)
    first = np.array([np.flatnonzero(truth)[0], np.flatnonzero(~truth)[0]])
    few = np.full(len(truth), -1, dtype=np.int8)
    few[first] = (1, 0)
    fits = correct(views, base, few, PLAN)
    assert np.corrcoef(fuse(fits, EVEN), fuse(base, EVEN))[0, 1] > 0.99


def test_what_was_not_read_counts_as_much_as_the_irrelevant_answers_together() -> None:
    """The slow twin: the same risk with every weight written down."""
    from dataclasses import replace

    from keysift.learn.linear_fit import minimise_risk

    truth, views, strength = case()
    base, answers = fit_all(views, strength), some(truth, 50)
    plan = replace(PLAN, config=replace(PLAN.config, unread_weight=0.5))
    fits = correct(views, base, answers, plan)
    relevant, irrelevant = int(truth[:50].sum()), int((~truth[:50]).sum())
    negative = np.where(answers == 0, 1.0, np.where(answers < 0, 0.5 * irrelevant / (len(truth) - 50), 0.0))
    for name, view in views.items():
        coef, _ = minimise_risk(
            view.X,
            (answers == 1).astype(np.float64),
            negative,
            plan.loss,
            l2=plan.config.correction_l2 * (1 / relevant + 1 / irrelevant) / 2,
            offsets=base[name].scores,
            max_iter=plan.config.max_iter,
            tol=plan.config.tol,
        )
        assert fits[name].coef == pytest.approx(base[name].coef + coef, abs=1e-3)


def test_documents_that_were_not_read_keep_the_ranking_of_the_rest() -> None:
    """Read best first, the answers differ along one axis only; the others must not be turned by them."""
    from dataclasses import replace

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
    for weight in (0.0, 1.0):
        plan = replace(PLAN, config=replace(PLAN.config, unread_weight=weight, correction_l2=2.0))
        auc.append(roc_auc_score(truth[rest], correct(views, base, answers, plan)["only"].scores[rest]))
    assert auc[1] > auc[0]
