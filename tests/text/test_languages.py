import os
import tarfile
from pathlib import Path

import polars as pl
import pytest
import stopwordsiso
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from keysift.errors import SettingError
from keysift.text.languages import NAMES, UNKNOWN, guess_language, language_code, stop_word_set
from keysift.text.tokens import as_documents, tokenize

SHARED = Path(__file__).parents[3] / "shared"
SUITE = Path(os.environ.get("KEYSIFT_SUITE", SHARED / "suite")) / "data"
DATA = Path(os.environ.get("KEYSIFT_DATA", SHARED / "data"))
OTHER = {"gnad10k": "de", "germeval2018": "de", "zh_shopping": "zh"}
SENTENCES = {
    "en": "The house is not as old as they say, but it was the first of its kind.",
    "de": "Das Haus ist nicht so alt, wie sie sagen, aber es war das erste seiner Art.",
    "fr": "La maison n'est pas aussi vieille qu'on le dit, mais elle était la première de son genre.",
    "es": "La casa no es tan vieja como dicen, pero fue la primera de su tipo.",
    "it": "La casa non è così vecchia come dicono, ma è stata la prima del suo genere.",
    "nl": "Het huis is niet zo oud als ze zeggen, maar het was het eerste in zijn soort.",
    "ru": "Этот дом не такой старый, как говорят, но он был первым в своем роде.",
    "ja": "この家は言われているほど古くないが、その種のものとしては最初だった。",
    "zh": "这座房子没有他们说的那么旧，但它是同类中的第一座。",
    "th": "บ้านหลังนี้ไม่เก่าอย่างที่เขาพูดกัน แต่เป็นหลังแรก",
}


def guess(documents: list[str] | pl.Series) -> str:
    return guess_language(tokenize(as_documents(documents))).code


@pytest.mark.parametrize(("code", "sentence"), SENTENCES.items())
def test_a_sentence_is_enough(code: str, sentence: str) -> None:
    found = guess_language(tokenize(pl.Series([sentence])))
    assert (found.code, found.name, found.share, found.sure) == (code, NAMES[code], 1.0, True)


@pytest.mark.parametrize("documents", [[], [""], ["...", " "], ["a1 b2"], ["hockey"], ["x", "y"], ["1 2 3"] * 99])
def test_where_nothing_can_be_told(documents: list[str]) -> None:
    assert guess_language(tokenize(as_documents(documents))) == UNKNOWN


def test_many_languages_at_once() -> None:
    several = [SENTENCES[code] for code in ("en", "de", "fr", "zh", "es")]
    assert guess(several * 10) == "none"
    assert guess([SENTENCES["en"], SENTENCES["de"]]) == "none"
    found = guess_language(tokenize(pl.Series(several + [SENTENCES["en"]] * 5)))
    assert (found.code, found.share) == ("en", 0.6)


def test_only_a_sample_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keysift.text.languages.MOST_DOCUMENTS", 3)
    german, english = SENTENCES["de"], SENTENCES["en"]
    assert guess([german, english, german, english, german]) == "de"
    monkeypatch.setattr("keysift.text.languages.MOST_TOKENS", 14)
    assert guess([german + " " + english * 9]) == "de"


@pytest.mark.parametrize("name", sorted(path.name.removesuffix(".csv.gz") for path in SUITE.glob("*.csv.gz")))
def test_the_suite(name: str) -> None:
    assert guess(pl.read_csv(SUITE / f"{name}.csv.gz")["text"]) == OTHER.get(name, "en")


@pytest.mark.skipif(not SUITE.is_dir(), reason="the suite is not there: set KEYSIFT_SUITE to its folder")
def test_the_suite_is_there() -> None:
    assert len(list(SUITE.glob("*.csv.gz"))) == 19


@pytest.mark.skipif(not DATA.is_dir(), reason="the paper's data sets are not there: set KEYSIFT_DATA to their folder")
def test_phrases_and_newsgroups() -> None:
    phrases = (DATA / "sentence-polarity" / "mpqa.all").read_text("latin-1").splitlines()
    assert guess([phrase[2:] for phrase in phrases]) == "en"
    with tarfile.open(DATA / "20news-bydate.tar.gz") as archive:
        files = [member for member in archive if member.isfile()][::50]
        texts = [file.read().decode("latin-1") for member in files if (file := archive.extractfile(member))]
    assert guess(texts) == "en"


def test_every_list_of_stop_words_has_a_name() -> None:
    assert set(stopwordsiso.langs()) <= set(NAMES)
    assert len(set(NAMES.values())) == len(NAMES)


@pytest.mark.parametrize("code", NAMES)
def test_languages_by_code_and_name(code: str) -> None:
    assert language_code(code) == language_code(code.upper()) == language_code(NAMES[code]) == code
    assert all(word == word.lower() for word in stop_word_set(code))


@pytest.mark.parametrize("language", ["klingon", "", "e", "english ", None, 5])
def test_languages_that_are_none(language: str) -> None:
    with pytest.raises(SettingError, match=r"language must be 'auto', 'none' or a language \(af, ar, .*; got "):
        language_code(language)


def test_stop_words() -> None:
    english = frozenset(ENGLISH_STOP_WORDS)
    assert stop_word_set("english") == stop_word_set("en") == stop_word_set("auto") == english >= {"the", "many"}
    assert stop_word_set("none") == stop_word_set(None) == stop_word_set([]) == frozenset()
    assert stop_word_set({"Und", "oder"}) == {"und", "oder"}
    assert stop_word_set("german") == stop_word_set("de") >= {"und", "oder"}
    assert {"的", "我们"} <= stop_word_set("zh")
    assert stop_word_set("km") == frozenset()
    with pytest.raises(SettingError, match=r"stop_words must be 'auto', 'none', a language .*; got 'klingon'"):
        stop_word_set("klingon")
