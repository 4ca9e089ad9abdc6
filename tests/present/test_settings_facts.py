import pytest

from keysift import KeywordClassifier, LearnConfig, Settings, Training
from keysift.present.settings_facts import changed_settings, settings_section


def test_defaults_say_nothing() -> None:
    assert settings_section(KeywordClassifier("goal")) is None
    assert settings_section(KeywordClassifier("goal", settings=Settings(exclude=[]))) is None


def test_what_was_changed_is_shown_in_words() -> None:
    clf = KeywordClassifier("goal", views=("words", "tfidf"), threshold=("precision", 0.9), settings=Settings(phi=90))
    section = settings_section(clf)
    assert section is not None
    assert section.table is not None
    assert section.table.rows == (("threshold", "precision, 0.9"), ("views", "words, tfidf"), ("phi", "90"))


def test_tuned_numbers_are_shown_too() -> None:
    clf = KeywordClassifier("goal", learning=LearnConfig(self_training=0.1, l2=0.3))
    assert changed_settings(clf) == {"self_training": 0.1, "l2": 0.3}


@pytest.mark.parametrize(("model", "shown"), [("linear", False), ("mlp", True)])
def test_training_matters_to_networks_only(model: str, shown: bool) -> None:
    changed = changed_settings(KeywordClassifier("goal", model=model, training=Training(epochs=3)))
    assert ("epochs" in changed) == shown
