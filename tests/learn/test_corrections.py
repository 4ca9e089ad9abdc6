import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.learn.corrections import correct
from keysift.learn.cotraining import fit_split, fuse
from keysift.learn.split import Split
from tests.learn.numbers import PLAN, Numbers, two_views

EVEN = {"near": 1.0, "far": 1.0}


def case(seed: int = 0, documents: int = 400) -> tuple[NDArray[np.bool_], dict[str, Numbers], Split]:
    """Keywords that are right six times of ten."""
    rng = np.random.default_rng(seed)
    truth = rng.random(documents) < 0.4
    found = rng.random(documents) < np.where(truth, 0.24, 0.16)
    return truth, two_views(truth, 1.0, rng), Split(found, np.ones(documents))


def some(truth: NDArray[np.bool_], number: int) -> NDArray[np.int8]:
    return np.where(np.arange(len(truth)) < number, truth, -1).astype(np.int8)


@pytest.mark.parametrize("seed", range(3))
def test_answers_help_and_more_of_them_help_more(seed: int) -> None:
    truth, views, split = case(seed)
    base = fit_split(views, split, PLAN)
    auc = []
    for number in (0, 40, 200):
        fits = correct(views, base, some(truth, number), PLAN)
        auc.append(roc_auc_score(truth[200:], fuse(fits, EVEN)[200:]))
    assert auc[0] < auc[1] < auc[2]


def test_scores_are_those_of_the_coefficients_and_centred() -> None:
    truth, views, split = case()
    for name, fit in correct(views, fit_split(views, split, PLAN), some(truth, 50), PLAN).items():
        assert fit.score(views[name].X) == pytest.approx(fit.scores, abs=1e-9)
        assert fit.scores.mean() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("answer", [-1, 0, 1])
def test_answers_of_one_kind_change_nothing(answer: int) -> None:
    truth, views, split = case()
    base = fit_split(views, split, PLAN)
    fits = correct(views, base, np.where(np.arange(len(truth)) < 9, answer, -1).astype(np.int8), PLAN)
    assert all(fits[name] is base[name] for name in base)


def test_a_ranking_that_agrees_is_changed_less_than_one_that_does_not() -> None:
    truth, views, _ = case()
    answers = some(truth, 60)
    moved = []
    for split in (Split(truth, np.ones(len(truth))), Split(~truth, np.ones(len(truth)))):
        base = fit_split(views, split, PLAN)
        fits = correct(views, base, answers, PLAN)
        moved.append(sum(np.linalg.norm(fits[name].coef - base[name].coef) for name in base))
    assert 0 < moved[0] < moved[1]


def test_few_answers_change_little() -> None:
    truth, views, split = case()
    base = fit_split(views, split, PLAN)
    first = np.array([np.flatnonzero(truth)[0], np.flatnonzero(~truth)[0]])
    few = np.full(len(truth), -1, dtype=np.int8)
    few[first] = (1, 0)
    fits = correct(views, base, few, PLAN)
    assert np.corrcoef(fuse(fits, EVEN), fuse(base, EVEN))[0, 1] > 0.99
