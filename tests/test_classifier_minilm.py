"""The classifier with the encoder that comes with keysift, from end to end."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

import keysift
from keysift import KeywordClassifier, Session
from keysift.config import LearnConfig
from keysift.encoding import minilm
from keysift.errors import KeysiftWarning, ModelFileError, SettingError
from keysift.learn.fitting import ViewHistory
from keysift.learn.scorer import ENCODER_WORD, ViewScorer
from tests.light import EMPTY, KEYWORDS

pytestmark = pytest.mark.usefixtures("small_glove")
GERMAN_SPORT = [
    f"{wer} {was} im Stadion und die Leute jubelten"
    for wer in ("der Torwart", "die Stürmerin", "das Team aus Kiel", "ein junger Trainer", "der Fußballverein")
    for was in ("gewann das Spiel der Saison", "schoss zwei Tore", "verlor das Finale im Fußball")
]
GERMAN_FOOD = [
    f"{wer} {was} und stellte alles auf den Tisch"
    for wer in ("die Köchin", "mein Großvater", "der Bäcker", "unsere Nachbarin", "der Wirt")
    for was in ("kochte eine Suppe mit Knoblauch", "backte Brot mit Butter", "briet Zwiebeln in Öl")
]
LANGUAGES = {
    "en": ["the goalie won the hockey game", "the judge heard the case on tax"],
    "de": ["der Torwart gewann das Spiel im Hockey", "der Richter entschied über die Steuer"],
    "fr": ["le gardien a gagné le match de hockey", "le juge a tranché sur les impôts"],
    "ru": ["вратарь выиграл матч по hockey", "судья рассмотрел дело о налогах"],
    "ja": ["ゴールキーパーが hockey の試合に勝った", "裁判官が税金の事件を審理した"],
}


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "cache"))


def views_of(clf: KeywordClassifier) -> list[str]:
    assert isinstance(clf.history_, ViewHistory)
    return list(clf.history_.views)


def told(caught: list[warnings.WarningMessage]) -> list[str]:
    return [str(one.message) for one in caught if issubclass(one.category, KeysiftWarning)]


def test_fit_save_load_gives_the_same_to_the_bit(
    fitted: KeywordClassifier, tmp_path: Path, texts: list[str], is_sports: NDArray[np.bool_]
) -> None:
    new = [*texts, *EMPTY, "the puck slid past the keeper", "zzzzqqq"]
    scores = fitted.decision_function(new)
    assert roc_auc_score(is_sports, scores[: len(texts)]) == 1.0
    assert views_of(fitted)[:2] == ["words", "sentences"]
    assert isinstance(fitted.scorer_, ViewScorer)
    assert fitted.scorer_.encoder is not None
    assert fitted.scorer_.standing_in is None  # every document was encoded
    fitted.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    assert loaded.encoder == "minilm"
    assert loaded.decision_function(new).tobytes() == scores.tobytes()
    assert loaded.rank(new, prior=0.3).equals(fitted.rank(new, prior=0.3))
    assert loaded.predict(texts).tolist() == fitted.predict(texts).tolist()
    again = loaded.fit(texts)
    assert again.decision_function(new).tobytes() == scores.tobytes()


def test_meaning_is_found_without_a_word_of_the_documents(fitted: KeywordClassifier) -> None:
    related, unrelated = "skaters chasing pucks", "simmering broths"
    one, other = fitted.decision_function([related, unrelated])
    assert one > other
    reasons = fitted.rank([related, unrelated])["words"].to_list()
    assert reasons == [[ENCODER_WORD], [ENCODER_WORD]]


@pytest.mark.usefixtures("empty_cache")
def test_a_second_fit_finds_the_vectors_in_the_cache(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    first = KeywordClassifier(KEYWORDS).fit(texts).decision_function(texts)

    def made_again(*given: object) -> None:
        raise AssertionError("the cache has it")

    monkeypatch.setattr(minilm, "encode", made_again)
    again = KeywordClassifier(KEYWORDS, learning=LearnConfig(encode_budget=0)).fit(texts)
    assert again.decision_function(texts).tobytes() == first.tobytes()


@pytest.mark.usefixtures("empty_cache")
def test_no_time_to_encode_still_ranks(texts: list[str], is_sports: NDArray[np.bool_], tmp_path: Path) -> None:
    clf = KeywordClassifier(KEYWORDS, learning=LearnConfig(encode_budget=0))
    with pytest.warns(KeysiftWarning, match=r"longer than the budget of 0 s: 0 were encoded") as caught:
        frame = clf.fit_rank(texts)
    assert len(caught) == 1
    scores = frame.sort("document")["score"].to_numpy()
    assert roc_auc_score(is_sports, scores) > 0.9
    clf.save(tmp_path / "a.keysift")
    new = [*texts, "the puck slid past the keeper"]
    assert keysift.load(tmp_path / "a.keysift").decision_function(new).tobytes() == clf.decision_function(new).tobytes()


@pytest.mark.usefixtures("empty_cache")
def test_documents_beyond_the_budget_are_scored_by_words_that_the_encoder_taught(
    texts: list[str], is_sports: NDArray[np.bool_], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A budget that is used up by half of the documents, whatever the machine."""
    from keysift.encoding import encode

    encoded = encode.encode_documents(keysift.encoding.encoder.get_encoder("minilm"), pl.Series(texts[::2]))
    assert encoded.shape == (30, 384)  # these are in the cache now
    clf = KeywordClassifier(KEYWORDS, learning=LearnConfig(encode_budget=0))
    with pytest.warns(KeysiftWarning, match=r"30 were encoded, and the others are scored by words"):
        frame = clf.fit_rank(texts)
    scores = frame.sort("document")["score"].to_numpy()
    assert roc_auc_score(is_sports, scores) > 0.95
    assert isinstance(clf.scorer_, ViewScorer)
    assert clf.scorer_.standing_in is not None
    new = [*texts[::2], *EMPTY]  # which are encoded when they are scored
    expected = clf.decision_function(new)
    assert expected[:30].tobytes() == scores[::2].tobytes()
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift").decision_function(new).tobytes() == expected.tobytes()


def test_without_onnxruntime_one_warning_and_pieces_of_words(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "available", lambda: "onnxruntime is not installed")
    makers: list[Callable[[], KeywordClassifier]] = [
        lambda: KeywordClassifier(KEYWORDS).fit(texts),
        lambda: session_of(texts).classifier(),
    ]
    for made in makers:
        with pytest.warns(KeysiftWarning) as caught:
            clf = made()
        assert told(list(caught)) == [
            "Sentences are not looked at, because onnxruntime is not installed; the ranking is learned from words and"
            " their pieces. Install onnxruntime, or say encoder=None."
        ]
        assert views_of(clf) == ["words", "characters"]
        without = KeywordClassifier(KEYWORDS, encoder=None).fit(texts)
        assert clf.decision_function(texts).tobytes() == without.decision_function(texts).tobytes()
    with pytest.warns(KeysiftWarning), pytest.raises(SettingError, match="The view 'sentences' needs an encoder"):
        KeywordClassifier(KEYWORDS, views=("sentences",)).fit(texts)


def session_of(texts: list[str]) -> Session:
    session = Session(texts)
    session.keywords(KEYWORDS)
    session.learn()
    return session


def test_no_encoder_needs_no_onnxruntime(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "available", lambda: "onnxruntime is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = KeywordClassifier(KEYWORDS, encoder=None)
        clf.keyword_table(texts)
        KeywordClassifier(KEYWORDS).keyword_table(texts)
        frame = clf.fit_rank(texts)
    assert views_of(clf) == ["words", "characters"]
    assert any("hockey" in words for words in frame["words"].to_list())
    assert not any(ENCODER_WORD in words for words in frame["words"].to_list())


@pytest.mark.usefixtures("empty_cache")
def test_altered_weights_are_refused(texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "minilm"
    folder.mkdir()
    for name in minilm.CHECKSUMS:
        (folder / name).write_bytes((minilm.FOLDER / name).read_bytes())
    with (folder / "model.onnx").open("r+b") as file:
        file.seek(1_000_000)
        byte = file.read(1)
        file.seek(1_000_000)
        file.write(bytes([byte[0] ^ 1]))
    monkeypatch.setattr(minilm, "FOLDER", folder)
    minilm._load.cache_clear()
    try:
        clf = KeywordClassifier(KEYWORDS)
        with pytest.raises(ModelFileError, match=r"model\.onnx is not the file that came with keysift: it was altered"):
            clf.fit(texts)
        (folder / "model.onnx").unlink()
        with pytest.raises(ModelFileError, match=r"Cannot read .*model\.onnx, which came with keysift"):
            clf.fit(texts)
    finally:
        minilm._load.cache_clear()
    assert not hasattr(clf, "scorer_")


def test_german_goes_without_sentences(tmp_path: Path) -> None:
    documents = [*GERMAN_SPORT, *GERMAN_FOOD]
    clf = KeywordClassifier(["Spiel", "Tore"], vectors="corpus", prior=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.fit(documents)
    assert views_of(clf) == ["words", "characters"]
    assert clf.encoded_length_ is None
    assert clf.predict(documents).tolist() == [1] * 15 + [0] * 15
    compound, other = clf.decision_function(["Stadionspiele", "Suppenbrote"])  # neither word is known
    assert compound > other
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    assert loaded.decision_function(documents).tobytes() == clf.decision_function(documents).tobytes()
    with pytest.raises(SettingError, match="The view 'sentences' needs an encoder that knows the language"):
        KeywordClassifier(["Spiel"], vectors="corpus", views=("words", "sentences")).fit(documents)


def test_an_encoder_that_was_asked_for_is_used_in_any_language() -> None:
    documents = [*GERMAN_SPORT, *GERMAN_FOOD]
    clf = KeywordClassifier(
        ["Spiel", "Tore"], vectors="corpus", encoder=lambda texts: [[len(text), text.count("ö")] for text in texts]
    ).fit(documents)
    assert views_of(clf) == ["words", "sentences"]
    assert clf.encoded_length_ == 2


def test_a_document_of_more_than_a_million_characters(fitted: KeywordClassifier, texts: list[str]) -> None:
    longest = "the hockey team won the game and the fans cheered " * 21_000
    assert len(longest) > 1_000_000
    clf = KeywordClassifier(KEYWORDS, prior=1 / 3)
    frame = clf.fit_rank([*texts, longest])
    assert frame.filter(pl.col("document") == len(texts))["decision"].item() == 1
    one, other = fitted.decision_function([longest, texts[0]])
    assert np.isfinite(one)
    assert one > np.median(fitted.decision_function(texts))
    assert other == fitted.decision_function(texts)[0]


@pytest.mark.parametrize("options", [{}, {"encoder": None}])
def test_documents_in_five_languages_at_once(options: dict[str, Any], tmp_path: Path) -> None:
    pairs = [pair for pair in LANGUAGES.values() for _ in range(4)]
    documents = [f"{text} {number}" for number, pair in enumerate(pairs) for text in pair]
    clf = KeywordClassifier(["hockey", "Hockey"], prior=0.5, **options)
    frame = clf.fit_rank(documents)
    truth = np.arange(len(documents)) % 2 == 0
    scores = clf.decision_function(documents)
    assert np.isfinite(scores).all()
    assert roc_auc_score(truth, scores) > 0.9
    assert frame.sort("document")["score"].to_list() == scores.tolist()
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift").decision_function(documents).tobytes() == scores.tobytes()
