"""Single fields of settings, learning and training as parameters: what a grid search changes."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from keysift import KeywordClassifier, LearnConfig, Settings, Training
from keysift.errors import SettingError
from tests.light import KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")


def test_every_field_is_a_parameter() -> None:
    clf = KeywordClassifier(KEYWORDS, settings=Settings(gamma=7))
    deep, own = clf.get_params(), clf.get_params(deep=False)
    assert own == {name: value for name, value in deep.items() if "__" not in name}
    assert (deep["settings__gamma"], deep["learning__l2"], deep["training__batch_size"]) == (7, 1.0, 256)
    assert own["learning"] is None  # nothing is made up by looking
    fields = {f"settings__{name}" for name in Settings.__dataclass_fields__}
    fields |= {f"learning__{name}" for name in LearnConfig.__dataclass_fields__}
    fields |= {f"training__{name}" for name in Training.__dataclass_fields__}
    assert {name for name in deep if "__" in name} == fields


def test_a_field_is_set_and_the_rest_stays() -> None:
    before = Settings(gamma=7, alpha=2)
    clf = KeywordClassifier(KEYWORDS, settings=before)
    assert clf.set_params(settings__stop_words="none", learning__l2=3.0, prior=0.2) is clf
    assert clf.settings == Settings(gamma=7, alpha=2, stop_words="none")
    assert before == Settings(gamma=7, alpha=2)  # it is frozen, and somebody else may hold it
    assert (clf.learning, clf.training, clf.prior) == (LearnConfig(l2=3.0), None, 0.2)
    clf.set_params(settings=Settings(alpha=5), settings__gamma=1)
    assert clf.settings == Settings(alpha=5, gamma=1)
    copy = clone(clf)
    assert copy.get_params() == clf.get_params()
    assert copy is not clf


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"settings__l2": 1.0}, r"There is no parameter 'settings__l2'; did you mean learning__l2\?"),
        ({"l2": 1.0}, r"There is no parameter 'l2'; did you mean learning__l2\?"),
        ({"settings__colour": 1}, r"no parameter 'settings__colour'; settings has alpha, gamma, phi, "),
        ({"priors": 0.1}, r"no parameter 'priors'; did you mean prior\?"),
        ({"colour": 1}, r"no parameter 'colour'; there are encoder, keywords, "),
        ({"settings__gamma": -1}, r"gamma must be a whole number, 0 or more; got -1"),
    ],
)
def test_a_wrong_name_or_value_is_refused_and_nothing_is_set(params: dict[str, Any], message: str) -> None:
    clf = KeywordClassifier(KEYWORDS)
    before = clf.get_params()
    with pytest.raises(SettingError, match=message):
        clf.set_params(**params)
    assert clf.get_params() == before


def test_a_grid_search(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    grid = {"settings__inflections": [True, False], "learning__l2": [0.1, 10.0], "prior": [1 / 3]}
    search = GridSearchCV(KeywordClassifier(KEYWORDS, **LIGHT), grid, scoring="roc_auc", cv=2)
    search.fit(np.array(texts), is_sports.astype(int))
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    best = search.best_estimator_
    assert best.settings.inflections is search.best_params_["settings__inflections"]
    assert best.learning == LearnConfig(rounds=0, l2=search.best_params_["learning__l2"])
    scores = {l2: KeywordClassifier(KEYWORDS, **LIGHT).set_params(learning__l2=l2) for l2 in (0.1, 10.0)}
    one, two = (clf.fit(texts).decision_function(texts) for clf in scores.values())
    assert not np.allclose(one, two)


def test_in_a_pipeline() -> None:
    pipeline = make_pipeline(KeywordClassifier(KEYWORDS))
    pipeline.set_params(keywordclassifier__learning__l2=2.0)
    assert pipeline[-1].learning == LearnConfig(l2=2.0)
