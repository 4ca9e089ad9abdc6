import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import keysift
from keysift import KeywordClassifier, Settings
from keysift.config import LearnConfig
from keysift.errors import ModelFileError
from keysift.files.tensors import FORMAT, read_model, write_model
from keysift.learn.scorer import CHARACTER_WORD, ViewScorer
from tests.light import EMPTY, KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"prior": 0.2, "threshold": ("top", 4), "loss": "ramp", "random_state": 3, "views": ("sentences", "words")},
        {"prior": np.float32(0.25), "threshold": np.float64(0.1), "random_state": None, **LIGHT},
        {"prior": "heuristic", "threshold": ("recall", 0.9), **LIGHT},
        {"threshold": "max_f1", **LIGHT},
        {
            "vectors": "corpus",
            "views": ("words", "characters"),
            "encoder": None,
            "settings": Settings(never_add=["goal"], stop_words=["the"], phi=50, gamma=5),
            "learning": LearnConfig(l2=0.3, share=0.2, rounds=2),
        },
    ],
)
@pytest.mark.filterwarnings("ignore:A fit stopped after")  # ramp has corners
def test_save_and_load(tmp_path: Path, texts: list[str], options: dict[str, Any]) -> None:
    clf = KeywordClassifier({"hockey": 1.0, "baseball": 2.0}, **options).fit(texts)
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    new = [*texts, *EMPTY, "a new sentence on ice skating and zzzzqqq"]
    assert loaded.decision_function(new).tobytes() == clf.decision_function(new).tobytes()
    assert loaded.rank(new).equals(clf.rank(new))
    assert loaded.predict(new).tolist() == clf.predict(new).tolist()
    for name in ("keywords_", "prior_", "prior_estimate_", "threshold_", "expected_", "n_documents_"):
        assert getattr(loaded, name) == getattr(clf, name)
    assert loaded.score_summary_.tobytes() == clf.score_summary_.tobytes()
    assert loaded.posterior_.scores.tobytes() == clf.posterior_.scores.tobytes()
    assert loaded.posterior_.chances.tobytes() == clf.posterior_.chances.tobytes()
    assert loaded.posterior_.basis == clf.posterior_.basis
    params = {
        **clf.get_params(deep=False),
        "settings": clf.settings or Settings(),
        "learning": clf.learning or LearnConfig(),
    }
    kept = loaded.get_params(deep=False)
    assert sorted(kept["settings"].never_add) == sorted(params["settings"].never_add)
    kept["settings"] = replace(kept["settings"], never_add=params["settings"].never_add)
    assert kept == params
    again = loaded.fit(texts)
    assert again.decision_function(new).tobytes() == clf.decision_function(new).tobytes()
    assert list(again.keywords) == ["hockey", "baseball"]


def test_pieces_of_words_are_reasons_too_and_in_the_model_file(tmp_path: Path, texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=None).fit(texts)
    assert isinstance(clf.scorer_, ViewScorer)
    assert clf.scorer_.characters is not None
    new = [" ".join(text.split()[:4]) for text in texts] + ["hockeyish", "basebal"]  # no word of these is known
    scores = clf.decision_function(new)
    assert scores[-2:].min() > np.median(scores)
    for score, words, moved in clf.rank(new, prior=0.3).select("score", "words", "contributions").rows():
        assert sum(moved) + clf.scorer_.constant == pytest.approx(score)
        assert clf.scorer_.words.is_in(words).any()
    assert CHARACTER_WORD in clf.rank(new[-2:], prior=0.3)["words"][0]
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift").decision_function(new).tobytes() == scores.tobytes()
    assert np.array([clf.decision_function([text])[0] for text in new[:5]]).tobytes() == scores[:5].tobytes()


def test_own_tokenizer_has_to_be_handed_in_again(tmp_path: Path, texts: list[str]) -> None:
    settings = Settings(tokenizer=str.split)
    clf = KeywordClassifier(KEYWORDS, settings=settings, **LIGHT).fit(texts)
    clf.save(tmp_path / "a.keysift")
    with pytest.raises(ModelFileError, match=r"tokenizer of your own; .* keysift.load\(path, tokenizer=...\)"):
        keysift.load(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift", tokenizer=str.split)
    assert loaded.rank(texts).equals(clf.rank(texts))


@pytest.mark.parametrize("views", ["words, sentences", "words, characters"])
def test_a_file_with_a_part_missing(tmp_path: Path, texts: list[str], views: str) -> None:
    path = tmp_path / "a.keysift"
    KeywordClassifier(KEYWORDS, views=views.split(", ")).fit(texts).save(path)
    arrays, settings = read_model(path)
    assert ("encoder.coef" in arrays) == ("sentences" in views)
    assert ("grams.scores" in arrays) == ("characters" in views)
    shorter = [name for name in ("part.0.scores", "grams.scores", "grams.idf", "characters.rows") if name in arrays]
    damaged: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, settings),
        *(({**arrays, name: arrays[name][1:]}, settings) for name in shorter),
        *((arrays, {**settings, name: None}) for name in ("constructor", "settings", "learning", "learned", "scorer")),
        *(({key: array for key, array in arrays.items() if key != name}, settings) for name in arrays),
    ]
    for parts in damaged:
        write_model(path, *parts)
        with pytest.raises(ModelFileError, match="a part is missing or damaged"):
            keysift.load(path)


@pytest.mark.parametrize("version", [*range(1, FORMAT), FORMAT + 1])
def test_a_file_of_another_format_is_refused_by_its_version(
    tmp_path: Path, light: KeywordClassifier, version: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("keysift.files.tensors.FORMAT", version)
        light.save(tmp_path / "a.keysift")
    older = f"has format {version}, from an older keysift, and this one reads format {FORMAT}; fit and save it again"
    newer = f"has format {version}, and this keysift reads up to format {FORMAT}; install a newer keysift"
    with pytest.raises(ModelFileError, match=older if version < FORMAT else newer):
        keysift.load(tmp_path / "a.keysift")


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("decisions.threshold", float("nan"), "decisions.threshold must be a number"),
        ("decisions.threshold", float("inf"), "decisions.threshold must be a number"),
        ("decisions.rule", ["top", -1], "top must be a whole number above 0"),
        ("decisions.prior.value", 7.0, "decisions.prior must be a share"),
        ("decisions.expected.precision", [0.5], "decisions.expected.precision must be a list of 3"),
        ("learned.n_documents", 3.5, "learned.n_documents must be a whole number"),
        ("learned.n_documents", 10**30, "learned.n_documents must be a whole number"),
        ("learned.n_empty", 60, "learned.n_empty must be a whole number"),
        ("learned.terms", "hockey", "learned.terms must be a list"),
        ("learned.encoded_length", 4, "learned.encoded_length must be the length"),
        ("learned.language", None, "learned.language must be a text"),
        ("learned.floor", 1e9, "learned.floor must be the lowest score"),
        ("constructor.encoder", 3, "constructor.encoder must be a text"),
        ("constructor.loss", "sigmod", "loss must be one of"),
        ("constructor.prior", 2.0, "prior must be a number between 0 and 1"),
        ("constructor.keywords", None, "constructor.keywords must be an object"),
        ("learning.l2", "1", "l2 must be a number"),
        ("settings.gamma", -1, "gamma must be a whole number"),
        ("scorer.offsets", [0.0], "scorer.offsets must have a number for each part"),
        ("scorer.offsets", [float("inf"), 0.0], "scorer.offsets.0 must be a number"),
        ("scorer.parts", ["code", "tfidf"], "scorer.parts must be tfidf or shares"),
        ("scorer.more", 1, "must not have the field 'more'"),
        ("own_tokenizer", "no", "own_tokenizer must be true or false"),
    ],
)
def test_a_value_that_cannot_be(tmp_path: Path, light: KeywordClassifier, path: str, value: Any, expected: str) -> None:
    file = tmp_path / "a.keysift"
    light.save(file)
    arrays, settings = read_model(file)
    *parts, last = path.split(".")
    place: Any = settings
    for part in parts:
        place = place[part]
    place[last] = value
    write_model(file, arrays, settings)  # with a right checksum
    with pytest.raises(ModelFileError, match=f"a.keysift: a part is missing or damaged .*{re.escape(expected)}"):
        keysift.load(file)


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("part.0.scores", lambda array: array.astype(np.float32), "must hold float64; got float32"),
        ("part.0.scores", lambda array: np.where(np.arange(len(array)) == 3, np.nan, array), "must hold numbers"),
        ("part.0.rows", lambda array: -array, "must hold numbers from 0"),
        ("part.0.rows", lambda array: array[:, None], "must have the shape"),
        ("words.ends", lambda array: array[::-1].copy(), "the words do not end where they should"),
        ("words.bytes", lambda array: np.full_like(array, 97), "must hold different words"),
        ("words.bytes", lambda array: np.full_like(array, 255), "invalid start byte"),
        ("decisions.knots", lambda array: array[::-1].copy(), "must hold ascending scores"),
        ("decisions.chances", lambda array: array * 3, "the array decisions.chances must hold numbers"),
        ("decisions.priors", lambda array: array * 0, "the array decisions.priors must hold numbers between 0 and 1"),
        ("decisions.scores", lambda array: array[::-1].copy(), "the array decisions.scores must be in order"),
        ("decisions.scores", lambda array: array[1:], "the array decisions.scores must have the shape"),
        ("another", lambda array: np.zeros(1), "the array 'another' belongs to no part"),
    ],
)
def test_an_array_that_cannot_be(
    tmp_path: Path, light: KeywordClassifier, name: str, change: Any, expected: str
) -> None:
    file = tmp_path / "a.keysift"
    light.save(file)
    arrays, settings = read_model(file)
    write_model(file, {**arrays, name: change(arrays.get(name))}, settings)
    with pytest.raises(ModelFileError, match=f"a part is missing or damaged .*{re.escape(expected)}"):
        keysift.load(file)


def test_a_flipped_bit_of_a_score_is_noticed(tmp_path: Path, light: KeywordClassifier) -> None:
    """The attack: one bit of an array moved a score without a word."""
    file = tmp_path / "a.keysift"
    light.save(file)
    content, scores = bytearray(file.read_bytes()), read_model(file)[0]["part.0.scores"].tobytes()
    content[bytes(content).index(scores) + 6] ^= 1 << 4
    file.write_bytes(content)
    with pytest.raises(
        ModelFileError, match=r"damaged .its checksum is not that of its content.; fit and save it again"
    ):
        keysift.load(file)


def test_a_file_with_a_checksum_is_cut_again_and_known_again(tmp_path: Path, light: KeywordClassifier) -> None:
    light.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    assert loaded.model_.fingerprint == light.model_.fingerprint
    assert loaded.apply_decisions(loaded.decide(threshold=("top", 3))).model_.fingerprint == light.model_.fingerprint
