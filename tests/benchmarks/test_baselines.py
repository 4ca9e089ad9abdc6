import numpy as np
import pytest

from benchmarks.paper.datasets import SETS, find_data
from benchmarks.paper.measures import measure
from benchmarks.paper.systems import NETWORKS, SYSTEMS
from benchmarks.paper.trial import Trial, make_trial

FOLDER = find_data()
pytestmark = pytest.mark.skipif(
    FOLDER is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data"
)


@pytest.fixture(scope="module")
def trial() -> Trial:
    assert FOLDER is not None
    return make_trial(SETS["ayi"], SETS["ayi"].read(FOLDER), 0)


def test_pseudo_labels_are_the_papers(trial: Trial) -> None:
    truth = trial.train_labels == 1
    assert abs((trial.pseudo & truth).sum() - 468) < 25
    assert abs((trial.pseudo & ~truth).sum() - 90) < 25
    assert 0.2 < trial.test_pseudo.mean() < 0.3


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system not in NETWORKS])
def test_every_system_scores_both_parts(trial: Trial, system: str) -> None:
    outcome = SYSTEMS[system](trial)
    assert outcome.train_scores is not None
    assert np.isfinite(outcome.scores).all()
    assert (len(outcome.scores), len(outcome.train_scores)) == (len(trial.test_texts), len(trial.train_texts))
    assert outcome.decisions.dtype == np.bool_
    line = measure(trial, outcome)
    assert line["auc"] > 55
    assert line["cut_on"] == "train"
    low, high = line["prec100_range"]
    assert low <= line["prec100"] <= high
