"""Excluded keywords and beginnings of words, from the keywords to rankings, decisions and model files."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

import keysift
from keysift import KeywordClassifier, Session, Settings
from keysift.decide.cuts import cut_rule
from keysift.errors import KeysiftWarning
from keysift.learn.self_training import barred
from keysift.recut import recut
from tests.light import LIGHT

WANTED = ["hockey", "base*", "striker"]
OUT = [*WANTED, "-fans"]


def holds(texts: list[str], word: str) -> list[bool]:
    return [word in text for text in texts]


@pytest.fixture(scope="module")
def fitted(texts: list[str]) -> KeywordClassifier:
    return KeywordClassifier(OUT, prior=0.4, encoder=None).fit([*texts, ""])


def test_documents_with_an_excluded_keyword_are_negatives(fitted: KeywordClassifier, texts: list[str]) -> None:
    documents = [*texts, ""]
    out = np.array(holds(documents, "fans"))
    assert out.any()
    ranking = fitted.rank(documents).sort("document")
    assert ranking["decision"].filter(pl.Series(out)).sum() == 0
    assert ranking["pseudo_positive"].filter(pl.Series(out)).sum() == 0
    assert not fitted.pseudo_labels_.positive[out].any()
    scores = ranking["score"].to_numpy()
    assert (scores[out] == fitted.scorer_.floor).all()
    assert scores[out].max() < scores[~out][:-1].min()
    ranks = ranking["rank"].to_numpy()
    assert ranks[-1] == len(documents)  # the empty one is the very last
    assert set(ranks[out]) == set(range(len(documents) - out.sum(), len(documents)))
    assert fitted.predict(["a hockey game and the fans", "a hockey game"]).tolist()[0] == 0
    assert fitted.decision_function(["hockey fans"])[0] == fitted.scorer_.floor


def test_no_cut_makes_them_positive(fitted: KeywordClassifier, texts: list[str]) -> None:
    everything = KeywordClassifier(OUT, prior=0.4, threshold=-1000.0, encoder=None).fit(texts)
    ranking = everything.rank(texts).sort("document")
    assert ranking["decision"].to_list() == [int(not out) for out in holds(texts, "fans")]
    again, _ = recut(ranking, cut_rule(-1000.0))
    assert again["decision"].to_list() == ranking["decision"].to_list()


def test_what_matched_is_shown_as_typed(fitted: KeywordClassifier, texts: list[str]) -> None:
    for row in fitted.rank(texts).iter_rows(named=True):
        text = texts[row["document"]]
        if "fans" in text:
            assert row["matched"] == ["-fans"]
            assert row["evidence"].startswith("excluded: fans; moved by: ")
        else:
            assert ("base*" in row["matched"]) == ("baseball" in text)


def test_they_stay_out_of_the_positives_in_every_round() -> None:
    excluded = np.array([True, False, True, False])
    found = barred(excluded, np.array([1, -1, -1, 0], dtype=np.int8))
    assert found is not None
    assert found.tolist() == [1, -1, 0, 0]  # what a person said counts
    alone = barred(excluded)
    assert alone is not None
    assert alone.tolist() == [0, -1, 0, -1]
    assert barred(np.zeros(2, dtype=bool)) is None


def test_the_excluded_word_speaks_against(texts: list[str]) -> None:
    """The ranking is learned away from what was excluded: its words lower the score of others."""
    with_it = KeywordClassifier(OUT, **LIGHT).fit(texts)
    without = KeywordClassifier(WANTED, **LIGHT).fit(texts)

    def moved(clf: KeywordClassifier) -> float:
        row = clf.rank(["the crowd cheered", "hockey"]).sort("document").row(0, named=True)
        return float(dict(zip(row["words"], row["contributions"], strict=True))["cheered"])

    assert moved(with_it) < 0 < moved(without)


@pytest.mark.parametrize(
    "keywords", ["hockey, base*, striker, -fans", {"hockey": 1, "base*": 1, "striker": 1, "-fans": 1}]
)
def test_every_form_gives_the_same(keywords: object, texts: list[str]) -> None:
    one, other = KeywordClassifier(keywords, **LIGHT), KeywordClassifier(OUT, **LIGHT)
    assert clone(one).fit(texts).decision_function(texts).tolist() == other.fit(texts).decision_function(texts).tolist()


def test_a_beginning_is_all_its_words(texts: list[str]) -> None:
    settings = Settings(inflections=False)
    begun = KeywordClassifier(["hock*", "base*"], settings=settings, **LIGHT).fit(texts)
    whole = KeywordClassifier(["hockey", "baseball"], settings=settings, **LIGHT).fit(texts)
    assert begun.decision_function(texts).tolist() == whole.decision_function(texts).tolist()
    assert [row.documents for row in begun.keyword_table()] == [row.documents for row in whole.keyword_table()]


def test_the_table_has_the_excluded(fitted: KeywordClassifier, texts: list[str]) -> None:
    *_, row = fitted.keyword_table()
    assert (row.keyword, row.documents, row.verdict) == ("-fans", sum(holds(texts, "fans")), "excluded")
    *_, counted = fitted.keyword_table(texts)
    assert (counted.keyword, counted.documents) == (row.keyword, row.documents)
    assert [keyword.text for keyword in fitted.excluded_] == ["-fans"]


def test_a_model_file_keeps_them(fitted: KeywordClassifier, texts: list[str], tmp_path: Path) -> None:
    fitted.save(tmp_path / "m.keysift")
    loaded = keysift.load(tmp_path / "m.keysift")
    new = [*texts, "", "the fans of hockey", "a baseline", "hockey fan"]
    assert loaded.rank(new).equals(fitted.rank(new))
    assert loaded.predict(new).tolist() == fitted.predict(new).tolist()
    assert loaded.keywords == dict.fromkeys(OUT, 1.0)
    assert (loaded.keywords_, loaded.excluded_) == (fitted.keywords_, fitted.excluded_)
    assert loaded.decide(prior=0.2).threshold == fitted.decide(prior=0.2).threshold
    assert loaded.fit([*texts, ""]).rank(new).equals(fitted.rank(new))


def test_a_session_hands_them_on(texts: list[str]) -> None:
    session = Session(texts, prior=0.4, encoder=None)
    session.keywords(OUT)
    ranking = session.learn()
    clf = session.classifier()
    assert clf.keywords == dict.fromkeys(OUT, 1.0)
    assert clf.rank(texts).drop("pseudo_positive").equals(ranking.frame().drop("pseudo_positive"))
    assert session.decide(threshold=-1000.0) is not None
    assert session.ranking.positive.sum() == len(texts) - sum(holds(texts, "fans"))


def test_chinese(tmp_path: Path) -> None:
    texts = [
        "这瓶酒很好喝",
        "好喝的酒",
        "我喜欢这家酒店",
        "酒店的房间很大",
        "天气很好",
        "今天下雨了",
        "他在看书",
        "酒吧里有酒",
    ]
    clf = KeywordClassifier(["酒*", "-酒店"], prior=0.5, **LIGHT).fit(texts)
    ranking = clf.rank(texts).sort("document")
    assert ranking["matched"].to_list() == [["酒"], ["酒"], ["-酒店"], ["-酒店"], [], [], [], ["酒"]]
    assert ranking["decision"].to_list() == [1, 1, 0, 0, 0, 0, 0, 1]
    clf.save(tmp_path / "m.keysift")
    assert keysift.load(tmp_path / "m.keysift").rank(texts).sort("document").equals(ranking)


@pytest.mark.filterwarnings("ignore:.*are in no document")
@pytest.mark.filterwarnings("ignore:The .*keyword .* is in no document")
def test_ten_thousand_keywords(texts: list[str]) -> None:
    words, begun = [f"word{number}" for number in range(5_000)], [f"begin{number}*" for number in range(4_000)]
    out = [f"-out{number}" for number in range(1_000)]
    few = KeywordClassifier(["hockey", "baseball"], **LIGHT).fit(texts)
    with pytest.warns(KeysiftWarning, match="8,980 more keywords are in no document"):
        many = KeywordClassifier(["hockey", "baseball", *words, *begun, *out], **LIGHT).fit(texts)
    assert many.decision_function(texts) == pytest.approx(few.decision_function(texts))
