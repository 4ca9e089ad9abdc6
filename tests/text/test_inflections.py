import random
from functools import cache

import polars as pl
import pytest
import snowballstemmer
import stopwordsiso
from hypothesis import given
from hypothesis import strategies as st

from keysift.text.counts import Term, count_terms
from keysift.text.inflections import ENDINGS, STEMMERS, Inflections, inflections_of
from keysift.text.languages import NAMES
from keysift.text.tokens import tokenize
from keysift.vectors.glove import load_glove

FORMS = ["top", "topped", "tops", "card", "cards", "dying", "die", "dies", "do", "doing", "law"]
DOCUMENTS = st.lists(st.lists(st.sampled_from(FORMS), max_size=8).map(" ".join), min_size=1, max_size=6)
TERMS = st.lists(
    st.lists(st.sampled_from(FORMS), min_size=1, max_size=2).map(tuple), min_size=1, max_size=6, unique=True
)


@cache
def slow_stem(word: str, apart: frozenset[str]) -> str:
    return f"apart {word}" if word in apart else snowballstemmer.stemmer("english").stemWord(word)


def slow_count(document: list[str], term: Term, terms: list[Term], apart: frozenset[str]) -> int:
    """Place by place: a term that is spelled so comes first, then the first of those with these stems."""
    found = 0
    for place in range(len(document) - len(term) + 1):
        words = tuple(document[place : place + len(term)])
        stems = [slow_stem(word, apart) for word in words]
        same = [one for one in terms if [slow_stem(word, apart) for word in one] == stems]
        found += bool(same) and (words if words in same else same[0]) == term
    return found


@given(DOCUMENTS, TERMS, st.sampled_from([frozenset[str](), frozenset({"do", "die"})]))
def test_counts_equal_the_slow_twin(documents: list[str], terms: list[Term], apart: frozenset[str]) -> None:
    tokens = tokenize(pl.Series("text", documents, dtype=pl.String))
    counts = Inflections(tokens.words, "en", apart).count(tokens, terms)
    expected = [[slow_count(document.split(), term, terms, apart) for term in terms] for document in documents]
    assert counts.toarray().tolist() == expected
    assert (counts.data > 0).all()


@given(DOCUMENTS, TERMS)
def test_what_is_spelled_the_same_always_matches(documents: list[str], terms: list[Term]) -> None:
    tokens = tokenize(pl.Series("text", documents, dtype=pl.String))
    counts = Inflections(tokens.words, "en").count(tokens, terms)
    assert (counts.toarray() >= count_terms(tokens, terms).toarray()).all()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["terminate", "terminated", "terminates", "terminating"]),
        ("en", ["dying", "die", "dies"]),
        ("de", ["paket", "pakete", "paketen", "pakets"]),
        ("de", ["übung", "uebung", "übungen"]),
        ("fr", ["cheval", "chevaux"]),
        ("es", ["libro", "libros"]),
        ("ru", ["книга", "книги", "книгу"]),
        ("nl", ["boek", "boeken"]),
    ],
)
def test_plain_inflections(language: str, words: list[str]) -> None:
    inflections = Inflections(pl.Series("word", [*words, "xylophon"]), language)
    for word in words:
        assert inflections.of([word]).tolist() == [True] * len(words) + [False]


def missed(words: pl.Series, language: str) -> list[str]:
    """The words that would not be looked at to find those with their own stem."""
    inflections = Inflections(words, language)
    ranges = inflections._ranges(inflections.stems(words.to_list()))
    place_of = {int(row): place for place, row in enumerate(inflections._ordered[1])}
    return [words[row] for row, (start, stop) in enumerate(ranges) if not start <= place_of[row] < stop]


@pytest.mark.parametrize("language", sorted(ENDINGS))
def test_only_words_that_begin_alike_can_have_the_same_stem(language: str) -> None:
    """Which is why the others need not be stemmed; shown by words with every ending that the stemmer knows."""
    known = tokenize(pl.Series(sorted(stopwordsiso.stopwords(language)))).words.to_list()
    rules = vars(type(snowballstemmer.stemmer(STEMMERS[language]))).values()
    parts = {part.s for rule in rules if isinstance(rule, list | tuple) for part in rule if hasattr(part, "s")}
    endings = sorted(part for part in parts if part.isalpha() and part.islower())
    draw = random.Random(0)
    made = {draw.choice(known) + draw.choice(endings) + draw.choice(["", *endings]) for _ in range(600)}
    assert missed(pl.Series("word", sorted({*known, *made})), language) == []


def test_words_of_english_begin_as_their_stems_do_up_to_a_letter() -> None:
    words = load_glove().words[2_000:200_000:40]
    assert missed(words.filter(words.str.contains(r"^\w+$")), "en") == []


def test_words_that_begin_otherwise_are_not_stemmed() -> None:
    words = pl.Series("word", ["hope", "hoping", "hopper", "house", "law"])
    inflections = Inflections(words, "en")
    assert inflections.of(["hoped"]).tolist() == [True, True, False, False, False]
    assert inflections.rows == {"hope": [0, 1], "hopper": [2]}


def test_each_word_is_stemmed_once() -> None:
    inflections = Inflections(pl.Series("word", ["cards", "card", "law"]), "en")
    inflections.of(["card"])
    inflections.of(["cards"])
    assert inflections.rows == {"card": [0, 1]}


def test_languages_without_a_stemmer() -> None:
    words = pl.Series("word", ["a"])
    assert inflections_of(words, "none", frozenset()) is inflections_of(words, "zh", frozenset()) is None
    assert {"en", "de", "fr", "es", "it", "nl", "pt", "ru", "sv"} <= set(STEMMERS) <= set(NAMES)
