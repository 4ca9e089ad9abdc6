"""An attack: ten times as many empty documents as texts. They come last, and change nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift import KeywordClassifier, Session, Settings, Training, load
from keysift.audit import start
from keysift.audit.ranked_table import ranking_from
from keysift.decide.cuts import AtPrior, Top
from keysift.errors import InputError
from keysift.recut import recut
from keysift.workfolder import identity_of, keep, restore
from tests.light import KEYWORDS

pytestmark = pytest.mark.usefixtures("small_glove")
BLANK = ("", " \n", "?!", "\t")
CHOICES: dict[str, Callable[[], dict[str, Any]]] = {
    "as usual": dict,
    "words and their pieces": lambda: {"encoder": None},
    "vectors of the corpus, expanded": lambda: {"encoder": None, "vectors": "corpus", "settings": Settings(gamma=2)},
    "a heuristic prior": lambda: {"encoder": None, "prior": "heuristic"},
    "a known prior": lambda: {"encoder": None, "prior": 0.3, "threshold": "max_f1"},
    "a network": lambda: {"model": "mlp", "training": Training(epochs=2)},
}


@pytest.fixture(scope="module")
def places(texts: list[str]) -> NDArray[np.int64]:
    """Where the texts are among eleven times as many documents."""
    return np.sort(np.random.default_rng(1).permutation(11 * len(texts))[: len(texts)])


@pytest.fixture(scope="module")
def attacked(texts: list[str], places: NDArray[np.int64]) -> list[str | None]:
    """The texts, and ten times as many empty documents between them."""
    documents: list[str | None] = [BLANK[place % len(BLANK)] for place in range(11 * len(texts))]
    for place, text in zip(places, texts, strict=True):
        documents[place] = text
    return documents


@pytest.mark.parametrize("choice", CHOICES)
def test_empty_documents_change_nothing(
    texts: list[str], attacked: list[str | None], places: NDArray[np.int64], choice: str
) -> None:
    plain, other = (KeywordClassifier(KEYWORDS, **CHOICES[choice]()) for _ in range(2))
    before, after = plain.fit_rank(texts), other.fit_rank(attacked)
    kept = after.head(len(texts))
    assert places[before["document"]].tolist() == kept["document"].to_list()
    assert kept.drop("document").equals(before.drop("document"))  # scores, decisions, chances and reasons, to the bit
    assert (repr(plain.quality_), plain.prior_estimate_) == (repr(other.quality_), other.prior_estimate_)
    assert (plain.threshold_, plain.expected_) == (other.threshold_, other.expected_)
    assert plain.keyword_beliefs_ == other.keyword_beliefs_
    assert plain.suggested_keywords_ == other.suggested_keywords_
    assert plain.pseudo_labels_.share == other.pseudo_labels_.share
    rest = after.tail(-len(texts))
    assert rest["decision"].sum() == rest["pseudo_positive"].sum() == 0
    assert set(rest["evidence"]) == {"no words"}
    assert rest["score"].max() < before["score"].min()  # type: ignore[operator]
    assert (other.n_documents_, other.n_empty_) == (11 * len(texts), 10 * len(texts))


def test_vectors_that_are_handed_in(texts: list[str], attacked: list[str | None], places: NDArray[np.int64]) -> None:
    vectors = np.random.default_rng(0).normal(size=(len(attacked), 4))
    before = KeywordClassifier(KEYWORDS).fit_rank(texts, embeddings=vectors[places])
    after = KeywordClassifier(KEYWORDS).fit_rank(attacked, embeddings=vectors)
    assert after.head(len(texts)).drop("document").equals(before.drop("document"))


def test_answers_count_where_there_are_words(
    texts: list[str], attacked: list[str | None], places: NDArray[np.int64]
) -> None:
    before = KeywordClassifier(KEYWORDS, encoder=None).fit_rank(texts, audit={0: 1, 1: 0, 5: 1})
    said = {int(places[0]): 1, int(places[1]): 0, int(places[5]): 1}
    empty = next(place for place, text in enumerate(attacked) if text == "")
    after = KeywordClassifier(KEYWORDS, encoder=None).fit_rank(attacked, audit={**said, empty: 1})
    assert after.head(len(texts)).drop("document").equals(before.drop("document"))


def test_decisions_afterwards(texts: list[str], attacked: list[str | None], tmp_path: Path) -> None:
    plain, other = (KeywordClassifier(KEYWORDS, encoder=None).fit(documents) for documents in (texts, attacked))
    for options in ({"prior": 0.2}, {"prior": "heuristic"}, {"threshold": "max_f1"}, {"threshold": ("top", 7)}):
        one, two = plain.decide(**options), other.decide(**options)
        assert (one.threshold, one.expected, one.prior) == (two.threshold, two.expected, two.prior)
    other.save(tmp_path / "a.keysift")
    loaded = load(tmp_path / "a.keysift")
    one, two = plain.decide(prior=0.2), loaded.decide(prior=0.2)
    assert (one.threshold, one.expected) == (two.threshold, two.expected)
    assert loaded.predict(attacked, prior=0.2).sum() == plain.predict(texts, prior=0.2).sum()


def test_nobody_is_asked_about_an_empty_document(texts: list[str], attacked: list[str | None]) -> None:
    asked: list[str] = []

    def answer(text: str) -> bool:
        asked.append(text)
        return "hockey" in text or "baseball" in text

    plain = KeywordClassifier(KEYWORDS, encoder=None).fit(texts).ask(20, answer)
    one, asked = asked, []
    other = KeywordClassifier(KEYWORDS, encoder=None).fit(attacked).ask(20, answer)
    assert asked == one
    assert all(asked)
    assert (other.prior_, other.threshold_) == (plain.prior_, plain.threshold_)


def test_a_ranking_with_empty_documents_is_cut_and_audited_without_them(
    texts: list[str], attacked: list[str | None]
) -> None:
    before, after = (KeywordClassifier(KEYWORDS).fit_rank(documents) for documents in (texts, attacked))
    for rule, prior in ((AtPrior(), None), (AtPrior(), 0.2), (Top(5), None)):
        (one, decided), (two, other) = recut(before, rule, prior), recut(after, rule, prior)
        assert two.head(len(texts))["decision"].to_list() == one["decision"].to_list()
        assert two.tail(-len(texts))["decision"].sum() == 0
        assert (decided.threshold, decided.expected, decided.prior) == (other.threshold, other.expected, other.prior)
    assert (len(ranking_from(after)), ranking_from(after).empty) == (len(texts), 10 * len(texts))
    sheet = start(after.with_columns(id="document"), 30)
    chosen = after.filter(pl.col("document").cast(pl.String).is_in(sheet["id"].cast(pl.String).to_list()))
    assert len(chosen) == 30
    assert (chosen["evidence"] != "").all()


def test_a_work_folder_and_a_session(texts: list[str], attacked: list[str | None], tmp_path: Path) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=None)
    expected = clf.fit_rank(texts)["score"].to_list()
    for written in (True, False):
        prepared = clf.prepare(attacked)
        identity = identity_of(prepared, "documents.csv", clf.vectors)
        prepared = restore(tmp_path, prepared, identity)
        assert clf.fit_rank(prepared)["score"].to_list()[: len(texts)] == expected
        assert keep(tmp_path, prepared, identity) is written
    session = Session(attacked, encoder=None)
    session.keywords(KEYWORDS)
    session.learn()
    assert session.page(0, len(texts))["score"].to_list() == expected
    assert session.decide(threshold=("top", 3)).expected.count == 3


def test_a_language_is_guessed_from_texts(texts: list[str]) -> None:
    few = KeywordClassifier(KEYWORDS, encoder=None)
    assert few.prepare([*[""] * 100_000, *texts]).settings.language == few.prepare(texts).settings.language == "en"


def test_one_text_among_empty_documents_is_refused() -> None:
    with pytest.raises(InputError, match=r"All documents but one are empty \(9\)"):
        KeywordClassifier(KEYWORDS, encoder=None).fit(["a hockey game", *[""] * 9])
