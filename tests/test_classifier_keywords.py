"""Keywords and documents as users give them, good and bad."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

from keysift import KeywordClassifier, Settings
from keysift.encoding import minilm
from keysift.errors import InputError, KeysiftWarning, KeywordError, SettingError
from keysift.text.languages import stop_word_set
from keysift.vectors.words import WordVectors
from tests.light import ALONE, EMPTY, KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")
TINY = WordVectors("tiny", pl.Series(["aa", "bb"]), np.eye(2, dtype=np.float32))


def bigrams(document: str) -> Iterator[str]:
    return (document[place : place + 2] for place in range(len(document) - 1))


def test_missing_keywords_are_named(texts: list[str]) -> None:
    settings = Settings(gamma=5)
    with pytest.warns(KeysiftWarning, match="'cricket' is in no document; only its expansions") as caught:
        KeywordClassifier(["hockey", "cricket"], settings=settings, **LIGHT).fit(texts)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "There is no document to learn from"),
        (iter([]), "There is no document to learn from"),
        (["a hockey game"], "There is only one document"),
        (["a hockey game"] * 5, "All 5 documents are identical"),
        (["a hockey game", "A hockey, game!"], "All 2 documents are identical"),
        (EMPTY, "All 4 documents are empty"),
        ("a hockey game", "got str"),
        (["a", 5], "document 1 is int"),
    ],
)
def test_documents_that_cannot_be_learned_from(documents: Any, message: str) -> None:
    for method in ("fit", "fit_rank"):
        if method != "fit" and not isinstance(documents, list | str):
            continue  # an iterator is used up
        with pytest.raises(InputError, match=re.escape(message)):
            getattr(KeywordClassifier(KEYWORDS), method)(documents)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior": 1.0}, "prior must be a number between 0 and 1"),
        ({"threshold": "top"}, "threshold must be 'prior', 'max_f1', ('precision', 0.9)"),
        ({"loss": "sigmod"}, "got 'sigmod'"),
        (
            {"views": ("words", "lda")},
            "views must be 'auto', one or more of words, characters, sentences, neighbours, or",
        ),
        ({"views": ()}, "views must be one or more different ones; got none."),
        ({"encoder": 7}, "encoder must be 'minilm', the name or folder of a sentence-transformers model"),
        ({"vectors": "glove"}, "vectors must be one of glove-6b-50d, corpus"),
        ({"settings": Settings(tokenizer=lambda _: [1])}, "tokenizer must return"),  # type: ignore[list-item]
    ],
)
def test_bad_arguments_are_found_in_fit(texts: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        KeywordClassifier(KEYWORDS, **options).fit(texts)


def test_all_keywords_unknown(texts: list[str]) -> None:
    clf = KeywordClassifier(["zzzzqqq"])
    with pytest.warns(KeysiftWarning, match="'zzzzqqq'"), pytest.raises(KeywordError, match="No document holds any of"):
        clf.fit(texts)


@pytest.mark.parametrize("documents", [["hockey cc", "dd ee"], ["hockey cc", "aa"], ["hockey aa", "dd ee"]])
@pytest.mark.filterwarnings("ignore:The keyword 'hockey' has no vector")
def test_no_word_is_in_two_documents(documents: list[str]) -> None:
    clf = KeywordClassifier(["hockey"], vectors=TINY, encoder=None)
    with pytest.raises(
        KeywordError,
        match="with a keyword look like all others to words, characters: nothing can be learned; use other",
    ):
        clf.fit(documents)
    assert clf.set_params(encoder=minilm.encode).fit(documents).predict(documents).tolist() == [1, 0]


def test_keyword_table_before_and_after_fit(fitted: KeywordClassifier, texts: list[str]) -> None:
    clf = clone(fitted)
    table = clf.keyword_table(texts)
    assert not hasattr(clf, "keywords_")
    assert [row.examples for row in table] == [row.examples for row in fitted.keyword_table()]
    assert [row.documents for row in table] == [row.documents for row in fitted.keyword_table()]
    assert [row.keyword for row in table] == KEYWORDS
    assert [row.documents for row in table] == [sum(word in text for text in texts) for word in KEYWORDS]


def test_a_keyword_that_is_a_stop_word() -> None:
    documents = ["many goals", "many players", "rain and wind", "goals", "sun and rain"]
    kept = KeywordClassifier(["many", "goals"], **LIGHT).fit(documents)
    dropped = clone(kept).set_params(learning=ALONE, settings=Settings(stop_keywords="drop")).fit(documents)
    assert kept.pseudo_labels_.positive.tolist() == [True, True, False, True, False]
    assert dropped.pseudo_labels_.positive.tolist() == [True, False, False, True, False]


def test_phrases(texts: list[str]) -> None:
    clf = KeywordClassifier(["tax law"], **LIGHT).fit(texts)
    assert clf.pseudo_labels_.positive.tolist() == ["tax law" in text for text in texts]
    assert clf.rank(texts)["matched"][0].to_list() == ["tax law"]


def test_japanese() -> None:
    teams, dishes = ["阪神", "巨人", "広島", "中日"], ["味噌汁", "天ぷら", "うどん", "煮物"]
    plays = ["は野球の試合に勝った", "の投手が試合で活躍した", "の選手が本塁打を打って試合に勝った"]
    cooks = ["を鍋で煮て食べた", "に醤油を入れて食べた", "を弱火で煮て醤油を入れた"]
    baseball = [team + play for team in teams for play in plays] * 2
    cooking = [dish + cook for dish in dishes for cook in cooks] * 2
    clf = KeywordClassifier(
        ["野球"], vectors="corpus", prior=0.5, settings=Settings(tokenizer=bigrams, stop_words=None)
    )
    clf.fit(baseball + cooking)
    assert sum("野球" in text for text in baseball) < len(baseball)
    assert clf.predict(baseball + cooking).tolist() == [1] * 24 + [0] * 24


@pytest.mark.parametrize(
    ("documents", "expected"),
    [(["a hockey game"], [1, 0]), (["hockey baseball"] * 3, [3, 3]), (["tax law", "court"], [0, 0])],
)
@pytest.mark.filterwarnings("ignore::keysift.errors.KeysiftWarning")
def test_the_keyword_table_needs_no_split(documents: list[str], expected: list[int]) -> None:
    table = KeywordClassifier(["hockey", "baseball"], settings=Settings(gamma=0)).keyword_table(documents)
    assert [row.documents for row in table] == expected


def test_expansions_that_are_stop_words_pull_nothing_in(texts: list[str]) -> None:
    clf = KeywordClassifier(["even", "hockey"], settings=Settings(gamma=5), **LIGHT)
    with pytest.warns(KeysiftWarning, match="'even' is in no document"):
        ranking = clf.fit_rank(texts)
    matched = ranking.sort("document")["matched"].list.len().to_numpy() > 0
    assert (matched == (clf.pseudo_labels_.similarity > 0)).all()
    (even, _) = clf.keyword_table()
    assert (
        {near.word for near in even.expansions if not near.used}
        == {near.word for near in even.expansions if near.word in stop_word_set("english")}
        != set()
    )
