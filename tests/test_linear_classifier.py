from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from keysift.errors import KeysiftError, SettingError
from keysift.linear_classifier import PairwiseLinearClassifier
from keysift.risk.losses import LOSSES, barrier_hinge

LEARNABLE = [name for name in LOSSES if name != "zero_one"]  # that one is flat
Data = tuple[NDArray[np.float64], NDArray[np.int64]]


@pytest.fixture(scope="module")
def data() -> Data:
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(150) % 3 == 0).astype(np.int64)
    return rng.normal(size=(150, 4)) + 2.0 * y[:, None] * np.array([1, 1, 0, 0]), y


@parametrize_with_checks([PairwiseLinearClassifier()])  # type: ignore[untyped-decorator]
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn(estimator: PairwiseLinearClassifier, check: Callable[[PairwiseLinearClassifier], None]) -> None:
    check(estimator)


@pytest.mark.parametrize("loss", [*LEARNABLE, barrier_hinge(b=3, r=1)], ids=[*LEARNABLE, "barrier_hinge-3-1"])
def test_each_loss_fits(loss: Any, data: Data) -> None:
    X, y = data
    classifier = PairwiseLinearClassifier(loss=loss).fit(X, y)
    assert np.isfinite(classifier.decision_function(X)).all()
    assert classifier.score(X, y) > 0.8


@pytest.mark.parametrize("names", [(0, 1), (-1, 1), ("other", "sports"), (False, True)])
def test_predict_is_the_sign_of_the_decision(names: tuple[Any, Any], data: Data) -> None:
    X, y = data
    classifier = PairwiseLinearClassifier().fit(X, np.array(names)[y])
    assert classifier.classes_.tolist() == list(names)
    expected = np.array(names)[(classifier.decision_function(X) > 0).astype(int)]
    assert classifier.predict(X).tolist() == expected.tolist()
    assert np.mean(expected == np.array(names)[y]) > 0.8


@pytest.mark.parametrize(("prior", "positives"), [("heuristic", 50), (0.1, 15), (0.5, 75), (0.9, 135), (0.001, 0)])
def test_the_prior_sets_the_share_of_positives(prior: Any, positives: int, data: Data) -> None:
    X, y = data
    classifier = PairwiseLinearClassifier(prior=prior).fit(X, y)
    assert classifier.predict(X).sum() == positives
    assert classifier.prior_ == (1 / 3 if prior == "heuristic" else prior)


@pytest.mark.parametrize("seed", range(40))
def test_tied_documents_stay_together_near_the_prior(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, prior = rng.integers(0, 3, (30, 3)), rng.permutation(np.arange(30) % 2), rng.uniform(0.1, 0.9)
    classifier = PairwiseLinearClassifier(loss="unhinged", prior=prior).fit(X, y)
    decided, scores = classifier.predict(X), classifier.decision_function(X)
    possible = {(scores > score).sum() for score in [*scores, -np.inf]}
    assert abs(decided.sum() - prior * 30) == min(abs(number - prior * 30) for number in possible)
    for row in np.unique(X, axis=0):
        assert len(np.unique(decided[(row == X).all(axis=1)])) == 1


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix, sp.csc_array])
def test_sparse_features(kind: type[sp.csr_array], data: Data) -> None:
    X, y = np.maximum(data[0], 0.0), data[1]
    dense, sparse = PairwiseLinearClassifier().fit(X, y), PairwiseLinearClassifier().fit(kind(X), y)
    np.testing.assert_allclose(sparse.decision_function(kind(X)), dense.decision_function(X), atol=1e-6)


def test_weights_are_repeats_and_zero_leaves_out(data: Data) -> None:
    X, y = data
    times = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = PairwiseLinearClassifier().fit(X, y, sample_weight=times)
    repeated = PairwiseLinearClassifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-6)
    assert weighted.prior_ == pytest.approx(repeated.prior_)


def test_warm_start(data: Data) -> None:
    X, y = data
    classifier = PairwiseLinearClassifier(warm_start=True).fit(X, y)
    cold, coef = classifier.n_iter_, classifier.coef_
    assert cold == classifier.history_.steps > 1
    assert classifier.fit(X, y).n_iter_ < cold
    np.testing.assert_allclose(classifier.coef_, coef, atol=1e-3)
    assert classifier.fit(X[:, :3], y).coef_.shape == (1, 3)  # Other features, so from the beginning.
    assert PairwiseLinearClassifier().fit(X, y).fit(X, y).n_iter_ == cold


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"prior": 0.0}, "prior must be .* got 0.0"),
        ({"prior": "half"}, "prior must be .* got 'half'"),
        ({"l2": -1.0}, "l2 must be 0 or more; got -1.0"),
        ({"l2": np.nan}, "l2 must be 0 or more; got nan"),
        ({"loss": "sigmod"}, "loss must be one of zero_one, sigmoid, .* got 'sigmod'"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str, data: Data) -> None:
    with pytest.raises(SettingError, match=message):
        PairwiseLinearClassifier(**settings).fit(*data)


def test_two_classes_are_needed(data: Data) -> None:
    X, y = data
    with pytest.raises(SettingError, match="only one class, 'a'"):
        PairwiseLinearClassifier().fit(X, np.full(len(X), "a"))
    with pytest.raises(SettingError, match="only one class"):
        PairwiseLinearClassifier().fit(X, y, sample_weight=y)
    with pytest.raises(SettingError, match="y holds 3 classes"):
        PairwiseLinearClassifier().fit(X, np.arange(len(X)) % 3)


def test_in_a_pipeline_and_a_grid_search(data: Data) -> None:
    X, y = data
    pipeline = make_pipeline(StandardScaler(), PairwiseLinearClassifier())
    np.testing.assert_allclose(
        pipeline.fit(X, y).decision_function(X), PairwiseLinearClassifier().fit(X, y).decision_function(X), atol=1e-6
    )
    search = GridSearchCV(pipeline, {"pairwiselinearclassifier__l2": [0.01, 0.15, 100.0]}, scoring="roc_auc", cv=3)
    assert search.fit(X, y).best_score_ > 0.9


@pytest.mark.parametrize("sparse", [False, True])
def test_shards_learn_what_all_rows_together_do(data: Data, sparse: bool) -> None:
    X, y = data
    features: Any = sp.csr_array(np.where(np.abs(X) > 0.5, X, 0.0)) if sparse else X
    names = np.array(["other", "sports"])[y]
    whole = PairwiseLinearClassifier(prior=0.3, tol=1e-8).fit(features, names)
    parts = [(features[start : start + 40], names[start : start + 40]) for start in range(0, 150, 40)]
    ours = PairwiseLinearClassifier(prior=0.3, tol=1e-8).fit_shards(parts)
    assert ours.coef_ == pytest.approx(whole.coef_, abs=1e-6)
    assert ours.intercept_ == pytest.approx(whole.intercept_, abs=1e-6)
    assert ours.predict(features).tolist() == whole.predict(features).tolist()


def test_shards_that_cannot_be_learned_from(data: Data) -> None:
    X, y = data
    for shards, told in (
        ([], "no shard to learn from"),
        ([(X, np.zeros(len(X)))], "only one class"),
        ([(X, y), (X, y + 5)], "y holds 4 classes"),
        ([(X, y[:-1])], "one weight of each set for every row"),
    ):
        with pytest.raises(KeysiftError, match=told):
            PairwiseLinearClassifier().fit_shards(shards)
