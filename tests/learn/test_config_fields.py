"""What each number of `LearnConfig` does to what is learned, where one can say in which direction."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.features.sentences import SentenceView
from keysift.features.view import Documents
from keysift.keywords.beliefs import AMBIGUOUS, FITS, UNCLEAR, Belief, agreed, beliefs
from keysift.learn.corrections import correct
from keysift.learn.cotraining import FitPlan, ViewFit, fit_split, fuse, self_train
from keysift.learn.negation import NegatedCopies, find_negation
from keysift.learn.neighbours import Neighbours, find_neighbours
from keysift.learn.quality import blend_weights, trust_in
from keysift.learn.scorer import ViewScorer
from keysift.learn.split import Split
from keysift.learn.strategies import NEAR, Strategy
from keysift.pipeline import learn, match, prepare
from tests.learn.numbers import PLAN, Numbers, nearest_of, two_views
from tests.made_corpora import near

EVEN = {"near": 1.0, "far": 1.0}


def planned(**changes: Any) -> FitPlan:
    return replace(PLAN, config=replace(PLAN.config, **changes))


def length(fits: dict[str, ViewFit]) -> float:
    """Of the coefficients before scores were standardised."""
    return float(sum(np.linalg.norm(fit.coef * fit.deviation) for fit in fits.values()))


def case(seed: int = 0) -> tuple[NDArray[np.bool_], Split, NDArray[np.int8]]:
    rng = np.random.default_rng(seed)
    truth = rng.random(300) < 0.4
    split = Split(rng.random(300) < np.where(truth, 0.3, 0.1), np.ones(300))
    return truth, split, np.where(np.arange(300) < 60, truth, -1).astype(np.int8)


@pytest.mark.parametrize("weight", [0.5, 5.0, 20.0])
def test_example_weight_is_the_deviation_of_the_score_by_examples(weight: float) -> None:
    made = near()
    prepared = prepare(made.texts, views="tfidf", learning=replace(made.learning, example_weight=weight))
    learned = learn(prepared, match(prepared, made.keywords))
    assert isinstance(learned.scorer, ViewScorer)
    nearest = learned.scorer.nearest
    assert nearest is not None
    by_example = nearest.score(nearest.examples.similar(learned.readable.counts))
    assert by_example.std() == pytest.approx(weight, rel=1e-3)
    assert by_example.mean() == pytest.approx(0.0, abs=1e-3 * weight)
    alone = replace(learned.scorer, nearest=None)
    difference = learned.scores - alone.score(learned.readable)
    assert difference == pytest.approx(by_example, abs=1e-6)


def test_a_sample_of_examples_tells_the_usual_score_about_as_well() -> None:
    rng = np.random.default_rng(0)
    counts = sp.csr_array((rng.random((400, 60)) < 0.1).astype(np.float64))
    values = counts[:, [0]].toarray().ravel() + rng.random(400)
    whole, some = (nearest_of(counts, values, 1.0, config=LearnConfig(example_sample=size)) for size in (400, 100))
    assert whole is not None
    assert some is not None
    assert some.scale != whole.scale
    assert some.scale == pytest.approx(whole.scale, rel=0.2)


def test_a_larger_penalty_makes_smaller_coefficients() -> None:
    truth, split, _ = case()
    views = two_views(truth, 1.0, np.random.default_rng(0))
    lengths = [length(fit_split(views, split, planned(l2=l2))) for l2 in (0.05, 0.15, 1.0)]
    assert lengths == sorted(lengths, reverse=True)
    base = fit_split(views, split, PLAN)
    rounds = [length(self_train(views, base, split, 0.3, 2, planned(round_l2=l2))) for l2 in (0.01, 0.04, 1.0)]
    assert rounds == sorted(rounds, reverse=True)


def test_added_documents_pull_by_their_weight() -> None:
    """Keywords lie along the first axis; documents that self-training adds also lie along the second."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    X[:40, 0] += 4.0
    X[40:90] += (3.0, 3.0)
    views = {"only": Numbers(X - X.mean(axis=0))}
    split = Split(np.arange(300) < 40, np.ones(300))
    base = fit_split(views, split, PLAN)
    turned = []
    for weight in (0.05, 0.5, 3.0):
        coef = self_train(views, base, split, 0.3, 1, planned(added_weight=weight))["only"].coef
        turned.append(float(coef[1] / coef[0]))
    assert turned == sorted(turned)
    assert turned[-1] > turned[0] + 0.05


def test_answers_pull_by_their_weight() -> None:
    truth, split, answers = case()
    views = two_views(truth, 0.8, np.random.default_rng(0))
    opposed = np.where(answers >= 0, 1 - answers, answers).astype(np.int8)  # against the rest, so that it shows
    gaps = []
    for weight in (0.1, 1.0, 10.0):
        scores = fuse(fit_split(views, split, replace(planned(answer_weight=weight), answers=opposed)), EVEN)
        gaps.append(float(scores[opposed == 1].mean() - scores[opposed == 0].mean()))
    assert gaps == sorted(gaps)
    assert gaps[-1] > gaps[0] + 0.1


def test_the_penalty_of_a_correction_keeps_the_ranking_as_it_is() -> None:
    truth, split, answers = case()
    views = two_views(truth, 1.0, np.random.default_rng(0))
    base = fit_split(views, split, PLAN)
    moved = []
    for l2 in (2.0, 20.0, 200.0):
        fits = correct(views, base, answers, planned(correction_l2=l2))
        moved.append(float(np.abs(fuse(fits, EVEN) - fuse(base, EVEN)).mean()))
    assert moved == sorted(moved, reverse=True)
    assert moved[-1] > 0


def test_more_steps_come_nearer_to_the_minimum() -> None:
    truth, split, _ = case()
    views = two_views(truth, 1.0, np.random.default_rng(0))
    for changes in ({"max_iter": 1}, {"tol": 0.05}):
        early = fit_split(views, split, planned(**changes))["near"].history
        late = fit_split(views, split, PLAN)["near"].history
        assert early is not None
        assert late is not None
        assert early.steps < late.steps
        assert early.gradient_norm[-1] > late.gradient_norm[-1]


def chain(documents: int = 40) -> sp.csr_array:
    """Each document is similar to those beside it."""
    graph = np.eye(documents, k=1) + np.eye(documents, k=-1)
    return sp.csr_array(graph / graph.sum(axis=1, keepdims=True))


SEED = Split(np.arange(40) == 20, np.ones(40))


@pytest.mark.parametrize("steps", [1, 3, 6])
def test_keywords_spread_so_many_steps(steps: int) -> None:
    reached = Neighbours(chain(), LearnConfig(spreading_steps=steps)).reached(SEED)
    assert np.flatnonzero(reached).tolist() == list(range(20 - steps, 21 + steps))


def test_restart_is_the_share_that_stays_at_the_keywords() -> None:
    for restart in (0.05, 0.1, 0.5):
        reached = Neighbours(chain(), LearnConfig(restart=restart, spreading_steps=1)).reached(SEED)
        assert reached[20] == pytest.approx(restart)
        assert reached[[19, 21]].sum() == pytest.approx(1 - restart)


@pytest.mark.parametrize(("reach", "least", "found"), [(2.0, 0.05, 2), (3.0, 0.05, 3), (1.0, 0.15, 6), (1.0, 0.0, 1)])
def test_how_many_are_taken_as_positive(reach: float, least: float, found: int) -> None:
    config = LearnConfig(reach=reach, least_reach=least)
    assert Neighbours(chain(), config).split(SEED).positive.sum() == found


@pytest.mark.parametrize("number", [1, 3, 10])
def test_so_many_neighbours_are_looked_at(number: int) -> None:
    rows = sp.csr_array(np.random.default_rng(0).random((60, 30)) * (np.random.default_rng(1).random((60, 30)) < 0.09))
    config = LearnConfig(neighbours=number, common_word=1.0)
    graph = find_neighbours(rows, np.empty(0, dtype=np.int64), np.random.default_rng(0), config).graph
    assert graph.nnz <= 2 * number * 60
    more = replace(config, neighbours=number + 5)
    assert find_neighbours(rows, np.empty(0, dtype=np.int64), np.random.default_rng(0), more).graph.nnz > graph.nnz


@pytest.mark.parametrize(("common", "alike"), [(0.4, False), (0.6, True)])
def test_a_common_word_makes_no_documents_similar(common: float, alike: bool) -> None:
    rows = sp.csr_array(np.array([[1.0, 0.0], [1.0, 0.0]] * 5 + [[0.0, 1.0]] * 2 + [[0.0, 0.0]] * 8))
    config = LearnConfig(common_word=common)
    graph = find_neighbours(rows, np.empty(0, dtype=np.int64), np.random.default_rng(0), config).graph
    assert bool(graph[[0]].nnz) == alike  # its word is in a half of the documents
    assert graph[[10]].nnz  # and this one in a tenth


def test_trust_rises_between_two_qualities() -> None:
    assert [trust_in(found) for found in (0.6, 0.75)] == [0.0, 1.0]
    assert trust_in(0.675) == pytest.approx(0.5)
    config = LearnConfig(trust_from=0.5, trust_fully=0.9)
    assert [trust_in(found, config) for found in (0.5, 0.7, 0.9)] == pytest.approx([0.0, 0.5, 1.0])


def test_the_benefit_of_the_doubt() -> None:
    assert NEAR.benefit(0.5, LearnConfig(neighbour_benefit=0.8)) == pytest.approx(0.4)
    assert Strategy(0.5).benefit(0.0, LearnConfig(benefit_offset=0.5)) == pytest.approx(1.0)
    assert Strategy(0.0).benefit(0.0, LearnConfig(benefit_offset=0.3)) == pytest.approx(0.09)


@pytest.mark.parametrize("tolerance", [0.02, 0.04, 0.2])
def test_a_loss_of_the_tolerance_counts_less_by_a_factor_of_e(tolerance: float) -> None:
    qualities = [0.9, 0.5 + 0.4 * (1 - tolerance)]
    first, second = blend_weights([1.0, 1.0], qualities, config=LearnConfig(blend_tolerance=tolerance))
    assert first / second == pytest.approx(np.e)


@pytest.mark.parametrize(("telling", "decided_by_quality"), [(0.55, True), (0.65, False)])
def test_within_chance_the_quality_tells_nothing(telling: float, decided_by_quality: bool) -> None:
    weights = blend_weights([0.1, 0.1], [0.58, 0.52], by_chance=0.6, config=LearnConfig(telling_chance=telling))
    assert (weights[0] > 0.9) == decided_by_quality


def test_ambiguous_is_less_than_this_share_as_far_above_chance() -> None:
    occurrences = sp.csr_array(np.repeat(np.eye(3), 400, axis=0))
    places = np.repeat([0.9, 0.9, 0.75], 400)
    for share, verdict in ((0.5, FITS), (0.6, FITS), (0.7, AMBIGUOUS)):
        assert beliefs(occurrences, places, LearnConfig(ambiguous_below=share))[2].verdict == verdict


def test_keywords_agree_from_this_median_on() -> None:
    found = [Belief(0.65, 90, FITS), Belief(0.64, 80, FITS)]
    assert [one.verdict for one in agreed(found, LearnConfig(agreement=0.64))] == [FITS, FITS]
    assert [one.verdict for one in agreed(found, LearnConfig(agreement=0.66))] == [UNCLEAR, UNCLEAR]


def test_fewer_documents_say_nothing_about_a_keyword() -> None:
    occurrences = sp.csr_array(np.ones((7, 1)))
    verdicts = [
        beliefs(occurrences, np.full(7, 0.9), LearnConfig(fewest_documents=least))[0].verdict for least in (7, 8)
    ]
    assert verdicts == [FITS, "too few documents"]


def test_when_a_negation_is_followed() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(400) % 2 == 0
    vectors = rng.normal(size=(400, 5)) + np.where(truth, 1.0, -1.0)[:, None] * (np.arange(5) == 0)

    def documents(rows: NDArray[np.float64]) -> Documents:
        return Documents(sp.csr_array((len(rows), 1)), rows.astype(np.float32))

    some = vectors[truth][:60]
    moved = some - 1.5 * (np.arange(5) == 0)
    copies = NegatedCopies(np.arange(60), documents(some), documents(moved), documents(some))
    sentences, others = SentenceView().fit(documents(vectors), pl.Series("word", ["good"])), np.arange(120, 400)
    usual = find_negation(sentences, copies, others)
    assert usual.leads
    for changes in ({"negation_auc": usual.found + 0.01}, {"negation_deviations": 30.0}, {"fewest_negated": 61}):
        assert not find_negation(sentences, copies, others, LearnConfig(**changes)).leads
    assert find_negation(sentences, copies, others, LearnConfig(fewest_negated=60)).leads
    assert find_negation(sentences, copies, others, LearnConfig(negation_auc=usual.found)).leads
