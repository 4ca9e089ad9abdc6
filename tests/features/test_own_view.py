"""A view of a user's own in the classifier: its role counts, and it is saved whole or refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import keysift
from keysift import KeywordClassifier
from keysift.config import LearnConfig
from keysift.errors import ModelFileError
from keysift.features.view import Role
from tests.features.own_view import Letters
from tests.light import KEYWORDS

pytestmark = pytest.mark.usefixtures("small_glove")
LONE = LearnConfig(rounds=0)
APART = LearnConfig(rounds=0, means_weight=0.0)
"""No view learns from another one."""


def fitted_with(view: Letters, texts: list[str], learning: LearnConfig = LONE, others: Any = ("words",)) -> Any:
    return KeywordClassifier(KEYWORDS, views=(*others, view), encoder=None, learning=learning).fit(texts)


@pytest.mark.parametrize("kind", ["shares", "tfidf"])
@pytest.mark.parametrize("others", [("words",), ("words", "characters"), ()])
def test_saved_and_loaded_it_scores_the_same_to_the_bit(
    tmp_path: Path, texts: list[str], kind: str, others: tuple[str, ...]
) -> None:
    clf = fitted_with(Letters(kind), texts, others=others)
    new = [*texts, "", "zzzzqqq", "the kettle ate a gherkin"]
    scores = clf.decision_function(new)
    without = KeywordClassifier(KEYWORDS, views=others or ("words",), encoder=None, learning=LONE).fit(texts)
    assert np.abs(without.decision_function(texts) - scores[: len(texts)]).max() > 0.1  # the view has a say
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    assert loaded.decision_function(new).tobytes() == scores.tobytes()
    assert loaded.rank(new).equals(clf.rank(new))
    loaded.save(tmp_path / "b.keysift")
    again = keysift.load(tmp_path / "b.keysift")
    assert again.decision_function(new).tobytes() == scores.tobytes()


def test_rows_of_its_own_are_refused_and_nothing_is_written(tmp_path: Path, texts: list[str]) -> None:
    clf = fitted_with(Letters("doubled"), texts)
    assert np.isfinite(clf.decision_function(texts)).all()
    path = tmp_path / "a.keysift"
    message = "weighs words by Doubled, which a model file cannot hold: .*weigh words by .*Shares or Tfidf, or leave"
    with pytest.raises(ModelFileError, match=message):
        clf.save(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("what was there")
    with pytest.raises(ModelFileError, match=message):
        clf.save(path)
    assert path.read_text() == "what was there"


def test_a_loaded_model_with_a_view_of_ones_own_has_to_get_it_again_to_fit(tmp_path: Path, texts: list[str]) -> None:
    clf = fitted_with(Letters("shares"), texts)
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    with pytest.raises(keysift.errors.SettingError, match="objects with a name and a fit method; got 'letters'"):
        loaded.fit(texts)
    assert loaded.predict(texts).tolist() == clf.predict(texts).tolist()
    loaded.set_params(views=clf.views).fit(texts)
    assert loaded.decision_function(texts).tobytes() == clf.decision_function(texts).tobytes()


def test_the_weight_is_that_in_the_score(texts: list[str]) -> None:
    def scores(weight: float) -> NDArray[np.float64]:
        return np.asarray(fitted_with(Letters("shares", Role(weight=weight)), texts, APART).decision_function(texts))

    none, one, three = scores(0.0), scores(1.0), scores(3.0)
    assert three - none == pytest.approx(3 * (one - none), abs=1e-9)
    assert (one - none).std() == pytest.approx(1.0, abs=1e-9)  # every view is standardised
    plain = fitted_with(Letters("shares"), texts, APART).decision_function(texts)
    assert plain.tobytes() == one.tobytes()  # without a role it counts as any view of words
