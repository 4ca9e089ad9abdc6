import pytest

from keysift import KeywordClassifier, LearnConfig, Settings, Training
from keysift.present.settings_facts import changed_settings, settings_section


def test_defaults_say_nothing() -> None:
    assert settings_section(KeywordClassifier("goal")) is None
    assert settings_section(KeywordClassifier("goal", settings=Settings(never_add=[]))) is None


def test_what_was_changed_is_shown_in_words() -> None:
    clf = KeywordClassifier(
        "goal", views=("words", "characters"), threshold=("precision", 0.9), settings=Settings(phi=90)
    )
    section = settings_section(clf)
    assert section is not None
    assert section.table is not None
    assert section.table.rows == (("threshold", "precision, 0.9"), ("views", "words, characters"), ("phi", "90"))


def test_tuned_numbers_are_shown_too() -> None:
    clf = KeywordClassifier("goal", learning=LearnConfig(share=0.1, l2=0.3))
    assert changed_settings(clf) == {"l2": 0.3, "share": 0.1}


def test_an_encoder_is_shown_where_it_is_another(texts: list[str]) -> None:
    assert changed_settings(KeywordClassifier("goal", encoder=None)) == {"encoder": None}
    assert "encoder" in changed_settings(KeywordClassifier("goal", encoder=len))
    clf = KeywordClassifier("hockey", encoder=None, views="words")
    assert changed_settings(clf.fit(texts)) == {"views": ("words",), "encoder": None}


@pytest.mark.parametrize(("model", "shown"), [("linear", False), ("mlp", True)])
def test_training_matters_to_networks_only(model: str, shown: bool) -> None:
    changed = changed_settings(KeywordClassifier("goal", model=model, training=Training(epochs=3)))
    assert ("epochs" in changed) == shown
