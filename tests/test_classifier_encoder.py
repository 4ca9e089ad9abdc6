"""The classifier with sentence vectors: from a function, a table, or handed in."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score

import keysift
from keysift import KeywordClassifier, Training
from keysift.config import LearnConfig
from keysift.errors import InputError, KeysiftWarning, SettingError
from keysift.learn.fitting import ViewHistory
from keysift.learn.scorer import ENCODER_WORD, ViewScorer
from keysift.present.quality_facts import quality_facts

KEYWORDS = ["hockey", "baseball"]
EMPTY = ["", "  \n", "?!"]
LIGHT: dict[str, Any] = {"learning": LearnConfig(rounds=0)}
pytestmark = pytest.mark.usefixtures("small_glove")
SPORTS = ("game", "goal", "team", "match", "season", "fans", "playoff", "striker", "tournament")


class Topics:
    """An encoder that counts words of sports, and knows how many texts it has read."""

    def __init__(self, cache_name: str | None = None) -> None:
        self.read = 0
        self.cache_name = cache_name

    def encode(self, texts: list[str]) -> NDArray[np.float64]:
        self.read += len(texts)
        return np.array([[sum(word in text for word in SPORTS), len(text) / 50, 1.0] for text in texts], dtype=float)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def vectors(texts: list[str]) -> NDArray[np.float64]:
    return Topics().encode(texts)


def of_function(vectors: NDArray[np.float64]) -> Any:
    return Topics().encode


def of_object(vectors: NDArray[np.float64]) -> Any:
    return Topics()


GIVEN = [of_function, of_object, np.asarray, np.ndarray.tolist, lambda vectors: pl.Series(vectors.tolist())]


@pytest.mark.parametrize("given", GIVEN)
def test_whatever_gives_the_vectors_they_count_the_same(
    texts: list[str], is_sports: NDArray[np.bool_], vectors: NDArray[np.float64], given: Any
) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=given(vectors), **LIGHT)
    frame = clf.fit_rank(texts)
    scores = clf.decision_function(texts)
    assert roc_auc_score(is_sports, scores) > 0.95
    assert frame.sort("document")["score"].to_list() == scores.tolist()
    assert clf.rank(texts).equals(frame)
    assert clf.encoded_length_ == 3
    assert isinstance(clf.history_, ViewHistory)
    assert list(clf.history_.views) == ["words", "sentences"]
    assert any(ENCODER_WORD in words for words in frame["words"].to_list())


def test_embeddings_in_the_place_of_an_encoder(texts: list[str], vectors: NDArray[np.float64]) -> None:
    with_encoder = KeywordClassifier(KEYWORDS, encoder=vectors, **LIGHT).fit(texts)
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit(texts, embeddings=vectors)
    expected = with_encoder.decision_function(texts)
    assert clf.decision_function(texts, embeddings=vectors).tolist() == expected.tolist()
    assert clf.predict(texts[:3], embeddings=vectors[:3].tolist()).tolist() == with_encoder.predict(texts[:3]).tolist()
    assert clf.rank(texts, embeddings=vectors).equals(with_encoder.rank(texts))
    assert clone(clf).fit_rank(texts, embeddings=vectors).equals(with_encoder.rank(texts))
    with pytest.raises(InputError, match=r"fitted with vectors made elsewhere, or by a function.* hand in embeddings="):
        clf.decision_function(texts)


def test_precomputed_vectors_know_the_documents_of_the_fit(texts: list[str], vectors: NDArray[np.float64]) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=vectors, **LIGHT).fit(texts)
    assert clf.decision_function(texts[::-1]).tolist() == clf.decision_function(texts)[::-1].tolist()
    with pytest.raises(InputError, match=r"Document 0 \('a new one'\) has no vector: .* embeddings="):
        clf.decision_function(["a new one"])
    assert np.isfinite(clf.decision_function(["a new one"], embeddings=[[1.0, 2.0, 1.0]])).all()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda vectors: vectors[:-1], "Got 59 vectors for 60 documents; give one vector per document"),
        (lambda vectors: np.where(np.eye(60, 3, k=-7) == 1, np.nan, vectors), "infinity in the vector of document 7"),
        (lambda vectors: vectors[:, 0], "shape"),
        (lambda vectors: vectors[None], "shape"),
        (lambda vectors: [["a"]] * 60, "numbers"),
    ],
)
def test_vectors_that_cannot_be(texts: list[str], vectors: NDArray[np.float64], damage: Any, message: str) -> None:
    for options in ({"encoder": damage(vectors)}, {}):
        embeddings = None if options else damage(vectors)
        with pytest.raises(InputError, match=re.escape(message)):
            KeywordClassifier(KEYWORDS, **LIGHT, **options).fit(texts, embeddings=embeddings)


@pytest.mark.parametrize(
    ("embeddings", "message"),
    [
        ([[1.0, 2.0]] * 2, "Got vectors of length 2, but the model was fitted with 3; use the encoder of the fit."),
        ([[1.0, 2.0, 3.0]], "Got 1 vectors for 2 documents"),
        ([[1.0, 2.0, np.inf]] * 2, "NaN or infinity in the vector of document 0"),
    ],
)
def test_vectors_of_new_documents_that_cannot_be(
    texts: list[str], vectors: NDArray[np.float64], embeddings: Any, message: str
) -> None:
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit(texts, embeddings=vectors)
    for method in (clf.decision_function, clf.predict, clf.rank):
        with pytest.raises(InputError, match=re.escape(message)):
            method(["one", "two"], embeddings=embeddings)


def test_a_function_of_the_wrong_shape(texts: list[str]) -> None:
    for encode, message in (
        (lambda found: np.ones((len(found) + 1, 2)), "it must have shape"),
        (lambda found: np.full((len(found), 2), np.nan), "NaN or infinity"),
    ):
        with pytest.raises(InputError, match=message):
            KeywordClassifier(KEYWORDS, encoder=encode, **LIGHT).fit(texts)


def test_a_model_without_vectors_takes_none(texts: list[str], vectors: NDArray[np.float64]) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=None, **LIGHT).fit(texts)
    with pytest.raises(InputError, match="The model was fitted without sentence vectors; leave embeddings out"):
        clf.predict(texts, embeddings=vectors)


def test_one_source_of_vectors_is_enough(texts: list[str], vectors: NDArray[np.float64]) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=Topics(), **LIGHT)
    with pytest.raises(SettingError, match=r"encoder= and embeddings= both give the sentence vectors; leave one out"):
        clf.fit(texts, embeddings=vectors)
    assert np.isfinite(clf.fit(texts).decision_function(texts, embeddings=vectors)).all()  # new documents: either


@pytest.mark.parametrize("length", [2, 300])
def test_sentence_vectors_that_are_noise_do_not_spoil_what_words_say(
    texts: list[str], is_sports: NDArray[np.bool_], vectors: NDArray[np.float64], length: int
) -> None:
    noise = np.random.default_rng(1).normal(size=(len(texts), length))
    noisy, telling, alone = (
        KeywordClassifier(KEYWORDS, encoder=None, **LIGHT).fit(texts, embeddings=embeddings)
        for embeddings in (noise, vectors, None)
    )
    aucs = [
        roc_auc_score(is_sports, clf.learned_.scores) for clf in (noisy, alone, telling) if clf.learned_ is not None
    ]
    assert aucs[0] > 0.85
    assert aucs == sorted(aucs)


def test_vectors_that_no_view_looks_at_are_not_made(texts: list[str], vectors: NDArray[np.float64]) -> None:
    handed_in = KeywordClassifier(KEYWORDS, views="words", **LIGHT).fit(texts, embeddings=vectors)
    without = KeywordClassifier(KEYWORDS, views="words", encoder=None, **LIGHT).fit(texts)
    assert handed_in.decision_function(texts).tobytes() == without.decision_function(texts).tobytes()
    assert handed_in.encoded_length_ is without.encoded_length_ is None


def test_a_view_of_sentences_needs_an_encoder(texts: list[str]) -> None:
    with pytest.raises(SettingError, match=r"The view 'sentences' needs an encoder that knows the language"):
        KeywordClassifier(KEYWORDS, views=("words", "sentences"), encoder=None).fit(texts)


def test_a_network_ignores_the_encoder(texts: list[str], tmp_path: Path) -> None:
    pytest.importorskip("torch")
    encoder, training = Topics(), Training(epochs=1)
    clf = KeywordClassifier(KEYWORDS, model="mlp", training=training, encoder=encoder).fit(texts)
    without = KeywordClassifier(KEYWORDS, model="mlp", training=training, encoder=None).fit(texts)
    scores = without.decision_function(texts)
    assert clf.decision_function(texts).tobytes() == scores.tobytes()
    assert encoder.read == 0
    assert clf.encoded_length_ is None
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift").decision_function(texts).tobytes() == scores.tobytes()


def test_save_and_load(tmp_path: Path, texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=Topics(), **LIGHT).fit(texts)
    clf.save(tmp_path / "a.keysift")
    new = [*texts, *EMPTY, "a new sentence on the game"]
    expected = clf.decision_function(new)
    loaded = keysift.load(tmp_path / "a.keysift", encoder=Topics())
    assert loaded.decision_function(new).tobytes() == expected.tobytes()
    assert loaded.rank(new).equals(clf.rank(new))
    assert loaded.quality_ is not None
    assert clf.quality_ is not None
    assert loaded.quality_.plain() == clf.quality_.plain()
    assert loaded.suggested_keywords_ == clf.suggested_keywords_
    with pytest.raises(NotFittedError, match=r"hand them in, or call fit \(a loaded model has none\)"):
        loaded.keyword_table()
    assert loaded.fit(texts).decision_function(new).tobytes() == expected.tobytes()
    bare = keysift.load(tmp_path / "a.keysift")
    with pytest.raises(InputError, match="hand in embeddings="):
        bare.decision_function(new)
    assert bare.decision_function(new, embeddings=Topics().encode(new)).tobytes() == expected.tobytes()


def test_empty_documents_are_last_and_alone_is_as_in_company(texts: list[str]) -> None:
    documents = [*EMPTY, *texts]
    clf = KeywordClassifier(KEYWORDS, encoder=Topics(), threshold=-1e9, **LIGHT)
    frame = clf.fit_rank(documents)
    assert frame["document"].to_list()[-3:] == [0, 1, 2]
    assert frame["decision"].to_list() == [1] * len(texts) + [0] * 3
    scores = clf.decision_function(documents)
    assert scores[:3].max() < scores[3:].min()
    far = clf.decision_function(["nothing known"], embeddings=[[-1e9, 0.0, 0.0]])
    assert far > scores[0]
    alone = [clf.decision_function([text])[0] for text in documents[:8]]
    assert np.array(alone).tobytes() == scores[:8].tobytes()


def test_what_the_words_and_the_vector_add_is_the_score(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=Topics(), **LIGHT).fit(texts)
    assert isinstance(clf.scorer_, ViewScorer)
    constant = clf.scorer_.constant
    short = [" ".join(text.split()[:3]) for text in texts]
    with pytest.warns(KeysiftWarning, match="look unlike those of training"):
        ranking = clf.rank(short)
    for score, moved in ranking.select("score", "contributions").rows():
        assert sum(moved) + constant == pytest.approx(score)


def test_a_second_fit_encodes_nothing(texts: list[str]) -> None:
    encoder = Topics(cache_name="topics 1")
    first = KeywordClassifier(KEYWORDS, encoder=encoder, **LIGHT).fit(texts)
    read = encoder.read
    assert read > len(texts)  # the documents, and those with a keyword once more with "not"
    second = KeywordClassifier(KEYWORDS, encoder=encoder, **LIGHT).fit(texts)
    assert encoder.read == read
    assert second.decision_function(texts).tobytes() == first.decision_function(texts).tobytes()
    assert encoder.read == read


def test_keywords_are_negated_in_the_documents_that_hold_them(texts: list[str]) -> None:
    seen: list[str] = []

    def encode(found: list[str]) -> NDArray[np.float64]:
        seen.extend(found)
        return Topics().encode(found)

    KeywordClassifier(KEYWORDS, encoder=encode, **LIGHT).fit(texts)
    negated = [text for text in seen if text not in texts]
    held = [text for text in texts if any(word in text for word in KEYWORDS)]
    assert {text.replace("not ", "") for text in negated} == set(held)
    assert all(f"not {word}" in text for text in negated for word in KEYWORDS if word in text)
    seen.clear()
    KeywordClassifier(KEYWORDS, encoder=encode, learning=LearnConfig(rounds=0, negation="")).fit(texts)
    assert sorted(seen) == sorted(texts)


class Judge:
    """An encoder that hears praise and blame in words that are no keywords, and "not"; most of it is noise."""

    GOOD, BAD = ("great", "lovely", "shines", "works"), ("broken", "awful", "returned", "slow")

    def encode(self, texts: list[str]) -> NDArray[np.float64]:
        rows = []
        for text in texts:
            words = text.split()
            side = sum(word in self.GOOD for word in words) - sum(word in self.BAD for word in words)
            noise = np.random.default_rng([ord(letter) for letter in text]).normal(size=6)
            rows.append([-side if "not" in words else side, *noise])
        return np.array(rows)


def reviews() -> tuple[list[str], NDArray[np.bool_]]:
    """Half of the good ones have a keyword."""
    rng = np.random.default_rng(0)
    truth = np.arange(240) % 2 == 0
    texts = []
    for number, good in enumerate(truth):
        words = ["item", f"no{number}", str(rng.choice(["shines", "works"] if good else ["awful", "slow", "returned"]))]
        texts.append(" ".join([*words, *([str(rng.choice(["great", "lovely"]))] * (number % 4 == 0))]))
    return texts, truth


def test_negated_keywords_show_the_other_side() -> None:
    texts, truth = reviews()
    scores = {}
    for negation in ("not", ""):
        learning = LearnConfig(negation=negation, few_words=0.0)  # short as they are, their words have a full say
        clf = KeywordClassifier(["great", "lovely"], encoder=Judge(), learning=learning)
        clf.fit(texts)
        assert clf.quality_ is not None
        assert clf.quality_.opposite == pytest.approx(0.9, abs=0.1) if negation else clf.quality_.opposite == 0.0
        scores[negation] = clf.decision_function(texts)
        assert roc_auc_score(truth, scores[negation]) > 0.95
        assert clf.quality_.two_sides == bool(negation)  # of few errors none may be added
    assert scores["not"].tobytes() != scores[""].tobytes()


def test_where_a_negation_leads_nowhere_it_does_not_count(texts: list[str]) -> None:
    def encode(found: list[str]) -> NDArray[np.float64]:  # words of sports stay when a keyword is negated
        return Topics().encode([text.replace("not ", "") for text in found])

    clf = KeywordClassifier(KEYWORDS, encoder=encode, **LIGHT).fit(texts)
    assert clf.quality_ is not None
    assert clf.quality_.opposite == 0.0
    silent = KeywordClassifier(KEYWORDS, encoder=encode, learning=LearnConfig(rounds=0, negation=""))
    assert silent.fit(texts).decision_function(texts).tobytes() == clf.decision_function(texts).tobytes()


def test_one_keyword(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    clf = KeywordClassifier(["served"], encoder=Topics(), **LIGHT).fit(texts * 2)
    assert clf.quality_ is not None
    assert not clf.quality_.known
    assert not clf.quality_.within_chance
    assert "it takes two or more keywords that each find a few documents" in quality_facts(clf.quality_).summary
    assert roc_auc_score(~is_sports, clf.decision_function(texts)) > 0.6


def test_a_single_document_and_none(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=Topics(), **LIGHT).fit(texts)
    assert clf.decision_function([]).shape == (0,)
    assert clf.decision_function([texts[0]]).shape == (1,)
