"""How a classifier, its quality and its keywords look in a terminal and in a notebook."""

from pathlib import Path

import polars as pl
import pytest
import sklearn
from sklearn.base import clone

from keysift import KeywordClassifier, load
from tests.light import KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")


def test_a_fitted_classifier_shows_its_figures(fitted: KeywordClassifier, tmp_path: Path) -> None:
    html = fitted._repr_html_()
    assert html == fitted._repr_mimebundle_()["text/html"]
    assert fitted.quality_ is not None
    for text in (
        "<b>hockey, baseball</b>",
        "<b>60</b><span>documents</span>",
        f"<b>{fitted.quality_.value:.2f}</b><span>quality without labels</span>",
        "<b>0.333</b><span>prior, as given</span>",
        f"<b>{fitted.threshold_:.3f}</b><span>threshold</span>",
        f"<b>{fitted.expected_.count}</b><span>decided positive</span>",
        f"<b>{fitted.expected_.precision}</b><span>expected precision, 90 % interval</span>",
        "The threshold comes from the prior 0.333, as given.",
    ):
        assert text in html
    assert "empty" not in html
    assert "<script" not in html
    fitted.save(tmp_path / "a.keysift")
    assert load(tmp_path / "a.keysift")._repr_html_() == html.replace(", fitted ·", ", loaded ·")


def test_keywords_are_escaped_and_empty_documents_counted(texts: list[str]) -> None:
    documents = [*texts, "", "<b> ice & snow", "", "<b> ice & rain"]
    clf = KeywordClassifier(["hockey", "<b> ice"], **LIGHT).fit(documents)
    html = clf._repr_html_()
    assert "hockey, &lt;b&gt; ice" in html
    assert "<b> ice" not in html
    assert "<b>2</b><span>left out (empty or excluded)</span>" in html
    assert "provisional" in html


def test_before_the_fit_scikit_learn_shows_it(light: KeywordClassifier) -> None:
    html = clone(light)._repr_html_()
    assert "sk-estimator" in html
    assert "keysift-card" not in html
    with sklearn.config_context(display="text"):
        assert not hasattr(light, "_repr_html_")
        assert list(light._repr_mimebundle_()) == ["text/plain"]


def test_the_quality_is_a_sentence(fitted: KeywordClassifier, texts: list[str]) -> None:
    told = str(fitted.quality_)
    assert told == repr(fitted.quality_)
    assert told.startswith("Quality without labels: 0.")
    assert told.endswith("(0.5 is chance), measured by finding documents of left-out keywords.")
    alone = KeywordClassifier(["hockey"], **LIGHT).fit(texts)
    assert str(alone.quality_).startswith("Quality without labels: unknown, because it takes two or more keywords")


def test_the_keyword_table_prints_as_a_frame(fitted: KeywordClassifier, texts: list[str]) -> None:
    table = fitted.keyword_table()
    frame = table.frame()
    assert frame["keyword"].to_list() == [row.keyword for row in table] == KEYWORDS
    assert frame["documents"].to_list() == [row.documents for row in table]
    assert frame["belief"].dtype == pl.Float64
    lines = str(table).splitlines()
    assert lines[0] == "shape: (2, 9)"
    assert "…" not in lines[2]  # no column is left out
    assert any("hockey" in line and "fits" in line for line in lines)
    assert "<table" in table._repr_html_()
    unlearned = KeywordClassifier(KEYWORDS, **LIGHT).keyword_table(texts)
    assert unlearned.frame().schema == frame.schema
    assert len(table[:1]) == 1
