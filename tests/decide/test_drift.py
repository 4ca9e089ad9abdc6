import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import ks_2samp

from keysift.config import DEFAULT, LearnConfig
from keysift.decide.drift import SUMMARY, Drift, compare_scores, summary_of


def scores(least: int, most: int) -> st.SearchStrategy[NDArray[np.float64]]:
    one = st.one_of(st.floats(-1e9, 1e9), st.integers(-2, 2).map(float))
    return st.lists(one, min_size=least, max_size=most).map(np.array)


def compared(new: NDArray[np.float64], training: NDArray[np.float64]) -> Drift:
    drift = compare_scores(new, summary_of(training), len(training))
    assert drift is not None
    return drift


def of_scipy(new: NDArray[np.float64], training: NDArray[np.float64]) -> tuple[float, float]:
    result = ks_2samp(new, training, method="asymp")
    return float(result.statistic), float(result.pvalue)


@given(new=scores(DEFAULT.drift_documents, 80), training=scores(1, 120))
def test_the_statistic_is_that_of_scipy(new: NDArray[np.float64], training: NDArray[np.float64]) -> None:
    assert compared(new, training).statistic == pytest.approx(of_scipy(new, training)[0], abs=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.2, 0.5])
def test_the_pvalue_is_that_of_scipy(shift: float) -> None:
    rng = np.random.default_rng(0)
    training, new = rng.normal(size=800), rng.normal(loc=shift, size=400)
    assert compared(new, training).pvalue == pytest.approx(of_scipy(new, training)[1], rel=0.3, abs=0.01)


def test_quantiles_are_nearly_as_good_as_the_scores() -> None:
    rng = np.random.default_rng(0)
    training, new = rng.gamma(2, size=50_000), rng.gamma(2.5, size=2000)
    assert len(summary_of(training)) == SUMMARY
    assert compared(new, training).statistic == pytest.approx(of_scipy(new, training)[0], abs=2 / SUMMARY)


@pytest.mark.parametrize("documents", [60, 5000, 50_000])
def test_the_same_documents_are_no_drift(documents: int) -> None:
    rng = np.random.default_rng(1)
    for training in (rng.normal(size=documents), rng.integers(0, 3, size=documents).astype(float)):
        drift = compared(training, training)
        assert drift.statistic < 2 / SUMMARY
        assert drift.pvalue > 0.99
        assert not drift.notable


@pytest.mark.parametrize("score", [0.0, 0.1, -7.0])
def test_equal_scores(score: float) -> None:
    training, same, other = np.full(100, score), np.full(60, score), np.full(60, score + 1)
    assert compared(same, training) == Drift(0.0, 1.0)
    assert compared(other, training).statistic == 1.0
    assert compared(other, training).notable


def test_a_few_documents_are_no_distribution() -> None:
    known = np.arange(100.0)
    assert compare_scores(np.full(DEFAULT.drift_documents - 1, 1e9), known, 100) is None
    assert compare_scores(np.full(DEFAULT.drift_documents, 1e9), known, 100) is not None
    assert compare_scores(np.array([]), known, 100) is None


def test_what_is_notable() -> None:
    assert Drift(0.1, 0.0009).notable
    assert not Drift(0.09, 0.0).notable  # among many documents every little thing is significant
    assert not Drift(0.5, 0.001).notable
    assert str(Drift(0.123, 0.0001)) == "Kolmogorov-Smirnov D = 0.12, p < 0.001"
    assert str(Drift(0.123, 0.0213)) == "Kolmogorov-Smirnov D = 0.12, p = 0.021"


def test_samples_of_one_distribution_seldom_look_like_drift() -> None:
    rng = np.random.default_rng(0)
    known = summary_of(rng.normal(size=3000))
    drifts = [compare_scores(rng.normal(size=200), known, 3000) for _ in range(300)]
    assert sum(drift is not None and drift.notable for drift in drifts) <= 2


def test_what_is_notable_can_be_chosen() -> None:
    assert Drift(0.06, 0.0009, LearnConfig(drift_distance=0.05)).notable
    assert not Drift(0.1, 0.0009, LearnConfig(drift_distance=0.2)).notable
    assert not Drift(0.1, 0.0009, LearnConfig(drift_pvalue=0.0001)).notable
    assert Drift(0.1, 0.04, LearnConfig(drift_pvalue=0.05)).notable
    assert str(Drift(0.1, 0.04, LearnConfig(drift_pvalue=0.05))) == "Kolmogorov-Smirnov D = 0.10, p < 0.05"
    new, known = np.zeros(20), np.arange(100.0)
    assert compare_scores(new, known, 100, LearnConfig(drift_documents=20)) is not None
    assert compare_scores(new, known, 100, LearnConfig(drift_documents=21)) is None
