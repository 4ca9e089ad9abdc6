import re
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.errors import KeysiftWarning
from keysift.keywords.expansion import Expansion, Keyword, keyword_document
from keysift.keywords.match import Matches, TermMatches, match_terms
from keysift.pipeline import match
from keysift.settings import Settings
from keysift.text.counts import count_terms, count_words
from keysift.text.languages import stop_word_set
from keysift.text.tokens import tokenize
from tests.keywords.six_documents import TEXTS, VECTORS, matched_six, prepared_six

pytestmark = pytest.mark.filterwarnings("ignore:The keyword '(home runs|ice hockey)' has no vector")


def same_to_the_bit(one: TermMatches, other: TermMatches) -> bool:
    return (
        one.terms == other.terms
        and one.similarity.tobytes() == other.similarity.tobytes()
        and one.matches.toarray().tobytes() == other.matches.toarray().tobytes()
    )


def test_what_the_keywords_find() -> None:
    matches = matched_six(["hockey", "baseball"])
    assert matches.terms == matches.own_terms == (("hockey",), ("baseball",))
    assert (matches.similarity > 0).tolist() == [True, True, False, True, False, False]
    assert matches.counts.shape == (len(TEXTS), len(matches.tokens.words))
    assert matches.holders.tolist() == [0, 1, 3]
    assert matches.occurrences.toarray().tolist() == [[1, 0], [0, 1], [2, 1]]


def test_words_near_a_keyword_do_not_make_a_document_one_with_a_keyword() -> None:
    matches = matched_six(["baseball", "law"], gamma=1)
    assert matches.similarity[0] > 0  # it holds hockey, which is near baseball
    assert matches.holders.tolist() == [1, 2, 3]
    assert matches.own_terms == (("baseball",), ("law",)) != matches.terms


@pytest.mark.parametrize(("chosen", "found"), [([0], [0, 3]), ([1], [1, 3]), ([0, 1], [0, 1, 3]), ([], [])])
def test_what_some_of_the_keywords_find(chosen: list[int], found: list[int]) -> None:
    only = matched_six(["hockey", "baseball"]).only(chosen)
    assert np.flatnonzero(only.similarity).tolist() == only.holders.tolist() == found
    assert len(only.keywords) == only.occurrences.shape[1] == len(chosen)


def test_all_of_the_keywords_find_what_they_found() -> None:
    matches = matched_six(["hockey", "home runs"], gamma=1)
    assert same_to_the_bit(matches.only([0, 1]).found, matches.found)


def test_a_keyword_that_is_left_out_has_no_say_as_a_word_near_another() -> None:
    matches = matched_six(["hockey", "goalie"], gamma=1)  # each is the nearest word of the other
    assert [near.word for near in matches.keywords[1].expansions] == ["hockey"]
    assert np.flatnonzero(matches.only([1]).similarity).tolist() == [0]


KEYWORDS = [
    Keyword("hockey", ("hockey",), 1.0, True, (Expansion("puck", ("puck",), 0.9), Expansion("ice", ("ice",), 0.8))),
    Keyword("ice hockey", ("ice", "hockey"), 2.0, True, (Expansion("puck", ("puck",), 0.7),)),
    Keyword("puck", ("puck",), 0.5, True, (Expansion("very", ("very",), 0.6), Expansion("hockey", ("hockey",), 0.5))),
    Keyword("very", ("very",), 1.0, False, ()),
]
"""A phrase, expansions that are keywords or stop words themselves, and a keyword that is a stop word."""
WORDS = st.sampled_from(["hockey", "ice", "puck", "very", "the", "law", "rain"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), min_size=1, max_size=10)
SETTINGS = st.builds(
    Settings,
    alpha=st.integers(1, 4),
    stop_words=st.sampled_from(["english", "none", ["rain", "puck"]]),
    stop_keywords=st.sampled_from(["keep", "drop"]),
    language=st.sampled_from(["auto", "none"]),
    inflections=st.booleans(),
)
CHOSEN = st.sets(st.sampled_from(range(len(KEYWORDS)))).map(sorted)


def found_in(documents: list[str], keywords: Sequence[Keyword], settings: Settings) -> Matches:
    tokens = tokenize(pl.Series("text", documents, dtype=pl.String))
    return Matches.find(keywords, tokens, count_words(tokens), settings)


@given(documents=DOCUMENTS, settings=SETTINGS, chosen=CHOSEN)
def test_only_some_keywords_is_matching_these_afresh(
    documents: list[str], settings: Settings, chosen: list[int]
) -> None:
    matches = found_in(documents, KEYWORDS, settings)
    only = matches.only(chosen)
    left_out = {keyword.term for place, keyword in enumerate(KEYWORDS) if place not in chosen}
    document = keyword_document([KEYWORDS[place] for place in chosen], settings.alpha)
    stop_words = stop_word_set(settings.stop_words)
    if settings.stop_keywords == "keep":
        stop_words = stop_words - {keyword.text for keyword in KEYWORDS}
    wanted = {term: times for term, times in document.items() if term not in left_out}
    afresh = match_terms(matches.tokens, wanted, stop_words=stop_words)
    assert same_to_the_bit(only.found, afresh)
    counts = count_terms(matches.tokens, [KEYWORDS[place].term for place in chosen])
    assert only.holders.tolist() == np.flatnonzero(np.diff(counts.indptr)).tolist()
    assert only.occurrences.toarray().tolist() == counts[only.holders].toarray().tolist()


@given(documents=DOCUMENTS, settings=SETTINGS, chosen=CHOSEN)
def test_keywords_without_expansions_are_found_as_if_they_were_alone(
    documents: list[str], settings: Settings, chosen: list[int]
) -> None:
    plain = [Keyword(word, tuple(word.split()), 1.0, True, ()) for word in ("hockey", "ice hockey", "law", "goal")]
    some = [plain[place] for place in chosen]
    only = found_in(documents, plain, settings).only(chosen)
    assert same_to_the_bit(only.found, found_in(documents, some, settings).found)
    assert only.keywords == tuple(some)


@given(documents=DOCUMENTS, settings=SETTINGS)
def test_keywords_that_are_dropped_as_stop_words_still_occur(documents: list[str], settings: Settings) -> None:
    matches = found_in(documents, KEYWORDS, settings)
    expected = [place for place, text in enumerate(documents) if {"hockey", "puck", "very"} & set(text.split())]
    assert matches.holders.tolist() == expected
    dropped = settings.stop_keywords == "drop" and "very" in stop_word_set(settings.stop_words)
    assert (("very",) not in matches.terms) == dropped


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    match(prepared_six(), ["hockey"], lambda stage, done: told.append((stage, done)))
    assert told == [("Finding keywords", 0.0), ("Finding keywords", 1.0)]


def test_a_keyword_that_finds_nothing_is_named() -> None:
    with pytest.warns(UserWarning, match=re.escape("The keyword 'zebra' is in no document and is ignored")):
        matches = matched_six(["hockey", "zebra"])
    assert not matches.only([1]).similarity.any()


def test_the_vectors_of_the_documents_give_the_expansions() -> None:
    (hockey,) = matched_six("hockey", gamma=2).keywords
    assert [near.word for near in hockey.expansions] == ["goalie", "baseball"]
    assert hockey.in_vectors
    assert VECTORS.rows(pl.Series(["tax"])).tolist() == [-1]


FORMS = ["Das Paket kam an.", "Zwei Pakete und ein Hund", "Er sagte nichts zu den Paketen", "Das ist das Parlament"]


@pytest.mark.parametrize(("inflections", "holders"), [(True, [0, 1, 2]), (False, [0])])
def test_keywords_match_their_inflections(inflections: bool, holders: list[int]) -> None:
    matches = match(prepared_six(FORMS, inflections=inflections), ["Paket"])
    assert matches.settings.language == "de"
    assert matches.holders.tolist() == np.flatnonzero(matches.similarity).tolist() == holders
    assert matches.found.documents.tolist() == [len(holders)]
    assert matches.own_words == ["paket", "pakete", "paketen"][: len(holders)]


def test_where_the_language_is_not_known_words_match_as_they_are_spelled() -> None:
    assert match(prepared_six(["paket", "pakete"]), ["paket"]).holders.tolist() == [0]
    assert match(prepared_six(["paket", "pakete"], language="de"), ["paket"]).holders.tolist() == [0, 1]
    assert match(prepared_six(FORMS, tokenizer=str.split), ["Paket"]).holders.tolist() == [0]


def test_a_form_counts_once_in_the_similarity() -> None:
    """A document of one form is as similar to the keyword as one of another, and wholly."""
    texts = ["terminated", "terminate", "the law and the court", "it is what it was"]
    matches = match(prepared_six(texts, language="en"), ["terminate"])
    assert matches.similarity.tolist() == pytest.approx([1, 1, 0, 0])


def test_stop_words_are_nobodys_inflection() -> None:
    texts = ["they do it", "she is doing it", "the law"]
    assert match(prepared_six(texts, language="en"), ["doing"]).holders.tolist() == [1]
    assert match(prepared_six(texts, language="en"), ["do"]).holders.tolist() == [0]


def test_a_keyword_that_is_there_in_another_form_is_not_missing() -> None:
    with pytest.warns(KeysiftWarning, match="'goal' is in no document"):
        match(prepared_six(FORMS), ["Pakets", "goal"])


def test_a_keyword_without_spaces_is_found_inside_a_sentence() -> None:
    matches = match(prepared_six(["这家酒店很好", "手机很好", "大酒 店"]), ["酒店"])
    assert matches.holders.tolist() == [0]
