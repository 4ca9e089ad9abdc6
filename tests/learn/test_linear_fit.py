import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.errors import SettingError
from keysift.features.linear import LinearModel
from keysift.learn.linear_fit import fit_linear, minimise_risk
from keysift.risk.losses import LOSSES, get_loss
from keysift.risk.pairs import pairs_risk
from keysift.risk.sides import Sides

Data = tuple[NDArray[np.float64], NDArray[np.bool_]]
SIGMOID = get_loss("sigmoid")


def two_gaussians(documents: int, gap: float, columns: int = 4, seed: int = 0) -> Data:
    rng = np.random.default_rng(seed)
    positive = rng.permutation(np.arange(documents) % 3 == 0)
    return rng.normal(size=(documents, columns)) + gap * positive[:, None] * (np.arange(columns) < 2), positive


@pytest.fixture(scope="module")
def data() -> Data:
    """Counts, as of words: many zeros, repeats, positives only a little different."""
    X, positive = two_gaussians(120, gap=1.0)
    return np.floor(np.maximum(X, 0.0) * 2), positive


def assert_same_scores(one: LinearModel, X: NDArray[np.float64], two: LinearModel, Z: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(one.score(X), two.score(Z), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", [name for name in LOSSES if name != "zero_one"])
@pytest.mark.parametrize("standardize", [True, False])
def test_the_risk_falls_and_the_history_is_whole(name: str, standardize: bool, data: Data) -> None:
    model, history = fit_linear(*data, get_loss(name), standardize=standardize)
    assert len(history.risk) == len(history.gradient_norm) == history.steps + 1
    assert np.isfinite(model.coef).all()
    # It starts at w = 0, without penalty; so the risk alone has to fall by what the penalty grows.
    assert history.risk[-1] <= history.risk[0] + 1e-12
    X, positive = data
    scores = model.score(X)
    # The grid of the smooth losses is good to 1e-6.
    assert history.risk[-1] == pytest.approx(
        pairs_risk(get_loss(name), Sides.of(scores[positive], scores[~positive])).value, abs=1e-6
    )


def test_a_loss_without_a_slope_is_refused(data: Data) -> None:
    with pytest.raises(SettingError, match="zero_one loss is flat"):
        fit_linear(*data, get_loss("zero_one"))


@pytest.mark.parametrize("name", ["sigmoid", "unhinged", "logistic", "squared", "savage"])
def test_smooth_losses_end_in_a_flat_place(name: str, data: Data) -> None:
    _, history = fit_linear(*data, get_loss(name))
    assert history.gradient_norm[0] > 0.05
    assert history.gradient_norm[-1] < 1e-3 * history.gradient_norm[0]


def test_the_minimum_is_one(data: Data) -> None:
    X, positive = data
    l2, deviation = 0.15, X.std(axis=0)
    model, _ = fit_linear(X, positive, SIGMOID, l2=l2)

    def objective(w: NDArray[np.float64]) -> float:
        scores = X @ (w / deviation)
        return pairs_risk(SIGMOID, Sides.of(scores[positive], scores[~positive])).value + l2 / 2 * float(w @ w)

    w = model.coef * deviation
    for step in 0.05 * np.concatenate([np.eye(len(w)), -np.eye(len(w))]):
        assert objective(w + step) > objective(w)


@pytest.mark.parametrize("l2", [0.15, 2.0])
@pytest.mark.parametrize("standardize", [True, False])
def test_unhinged_has_a_closed_form(l2: float, standardize: bool, data: Data) -> None:
    """R = 1 - w . d with d the difference of the means, so w = d / l2."""
    X, positive = data
    deviation = X.std(axis=0) if standardize else np.ones(X.shape[1])
    difference = (X[positive].mean(axis=0) - X[~positive].mean(axis=0)) / deviation
    model, _ = fit_linear(X, positive, get_loss("unhinged"), l2=l2, standardize=standardize)
    np.testing.assert_allclose(model.coef * deviation, difference / l2, rtol=1e-6)
    assert model.score(X).mean() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", ["sigmoid", "ramp", "squared"])
@pytest.mark.parametrize("weighted", [True, False])
def test_sparse_is_dense(name: str, weighted: bool, data: Data) -> None:
    X, positive = data
    weights = np.random.default_rng(0).uniform(0.5, 2, len(X)) if weighted else None
    dense, _ = fit_linear(X, positive, get_loss(name), weights=weights)
    sparse, _ = fit_linear(sp.csr_array(X), positive, get_loss(name), weights=weights)
    np.testing.assert_allclose(sparse.coef, dense.coef, atol=1e-6)
    assert sparse.offset == pytest.approx(dense.offset, abs=1e-6)


def test_sparse_stays_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dense matrix of this shape would be 1.6 gigabytes."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("made dense")

    for name in ("toarray", "todense"):
        monkeypatch.setattr(sp.csr_array, name, refuse)
        monkeypatch.setattr(sp.csc_array, name, refuse)
    rng, documents, columns = np.random.default_rng(0), 200, 1_000_000
    positive = np.arange(documents) < 60
    places = rng.integers(1, columns, (documents, 10))
    places[positive, 0] = 0
    X = sp.csr_array(
        (np.ones(places.size), (np.repeat(np.arange(documents), 10), places.ravel())), (documents, columns)
    )
    model, _ = fit_linear(X, positive, SIGMOID, l2=10.0, max_iter=5)
    assert model.coef.argmax() == 0
    assert model.score(X)[positive].min() > model.score(X)[~positive].max()


def test_standardised_features_have_no_unit(data: Data) -> None:
    X, positive = data
    other = X * np.array([1.0, 1000.0, 1e-6, 1.0]) + np.array([0.0, 5.0, 0.0, -3.0])
    assert_same_scores(fit_linear(X, positive, SIGMOID)[0], X, fit_linear(other, positive, SIGMOID)[0], other)
    plain, tripled = (fit_linear(Z, positive, SIGMOID, standardize=False)[0].score(Z) for Z in (X, 3 * X))
    assert np.abs(plain - tripled).max() > 0.1


@pytest.mark.parametrize("constant", [0.0, 0.1, 7.0, 1e6])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_a_constant_feature_does_no_harm(kind: type[sp.csr_array], constant: float, data: Data) -> None:
    X, positive = data
    wider = np.column_stack([X, np.full(len(X), constant)])
    model, _ = fit_linear(kind(wider), positive, SIGMOID)
    assert model.coef[-1] == pytest.approx(0.0, abs=1e-6)
    assert_same_scores(fit_linear(X, positive, SIGMOID)[0], X, model, wider)


def test_a_weight_of_two_is_a_document_twice(data: Data) -> None:
    X, positive = data
    times = np.random.default_rng(0).integers(1, 4, len(X))
    weighted, _ = fit_linear(X, positive, SIGMOID, weights=times.astype(np.float64))
    repeated, _ = fit_linear(np.repeat(X, times, axis=0), np.repeat(positive, times), SIGMOID)
    assert_same_scores(weighted, X, repeated, X)
    assert np.abs(weighted.coef - fit_linear(X, positive, SIGMOID)[0].coef).max() > 1e-3


@pytest.mark.parametrize("standardize", [True, False])
def test_a_warm_start_is_short(standardize: bool, data: Data) -> None:
    cold, cold_history = fit_linear(*data, SIGMOID, standardize=standardize)
    warm, warm_history = fit_linear(*data, SIGMOID, standardize=standardize, start=cold.coef)
    assert warm_history.steps < cold_history.steps
    assert warm_history.risk[0] == pytest.approx(cold_history.risk[-1], abs=1e-9)
    np.testing.assert_allclose(warm.coef, cold.coef, atol=1e-3)


def test_a_model_adds_to_scores_that_are_there(data: Data) -> None:
    X, positive = data
    first, _ = fit_linear(X, positive, SIGMOID, standardize=False)
    one, one_history = fit_linear(X, positive, SIGMOID, standardize=False, offsets=10 * first.score(X))
    assert one_history.risk[0] == pytest.approx(
        pairs_risk(SIGMOID, Sides.of(10 * first.score(X)[positive], 10 * first.score(X)[~positive])).value, abs=1e-6
    )
    none, _ = fit_linear(X, positive, SIGMOID, standardize=False, offsets=np.zeros(len(X)))
    np.testing.assert_allclose(none.coef, first.coef)
    shifted, _ = fit_linear(X, positive, SIGMOID, standardize=False, offsets=np.full(len(X), 7.0))
    np.testing.assert_allclose(shifted.coef, first.coef, atol=1e-4)  # only differences count
    assert np.linalg.norm(one.coef) < np.linalg.norm(first.coef)


def test_steps_are_limited(data: Data) -> None:
    _, history = fit_linear(*data, SIGMOID, max_iter=1)
    assert history.steps == 1
    assert not history.converged
    assert "ITERATIONS" in history.message


def test_a_symmetric_loss_sees_through_corruption() -> None:
    X, clean = two_gaussians(2000, gap=2.0)
    flipped = np.random.default_rng(1).uniform(size=len(clean)) < 0.3
    model, _ = fit_linear(X, clean ^ flipped, SIGMOID)
    assert roc_auc_score(clean, model.score(X)) > 0.95


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_a_document_may_be_in_both_sets(kind: type[sp.csr_array], data: Data) -> None:
    """As if it were there twice, once in each."""
    X, positive = data
    above = np.where(positive, np.linspace(0.5, 2.0, len(X)), 0.0)
    below = np.linspace(1.0, 3.0, len(X))
    options = {"l2": 0.5, "max_iter": 100, "tol": 1e-7}
    both, _ = minimise_risk(kind(X), above, below, SIGMOID, **options)  # type: ignore[arg-type]
    twice = np.concatenate([X[positive], X])
    none, here = np.zeros(len(X)), above[positive]
    apart, _ = minimise_risk(
        twice,
        np.concatenate([here, none]),
        np.concatenate([0 * here, below]),
        SIGMOID,
        **options,  # type: ignore[arg-type]
    )
    np.testing.assert_allclose(both, apart, atol=1e-5)
    small, _ = minimise_risk(kind(X), 10 * above, below / 7, SIGMOID, **options)  # type: ignore[arg-type]
    np.testing.assert_allclose(both, small, atol=1e-5)  # only shares count
