import re
from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from keysift.errors import KeywordError, SettingError
from keysift.keywords.match import match_terms
from keysift.learn.pseudo_labels import PseudoLabels, pseudo_label
from keysift.text.counts import Term, count_words
from keysift.text.languages import stop_word_set
from keysift.text.tokens import tokenize

ENGLISH = stop_word_set("english")
WORDS = st.sampled_from(["hockey", "puck", "tax", "law", "the", "many", "rain", "x"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), min_size=1, max_size=12)
KEYWORDS = st.dictionaries(st.sampled_from(["hockey", "puck", "many", "absent"]), st.integers(1, 4), min_size=1)
PHI = st.sampled_from([10, 50, 90, 100])


def label(
    documents: list[str],
    keywords: Mapping[str, float],
    phi: float = 90.0,
    stop_words: frozenset[str] = ENGLISH,
) -> PseudoLabels:
    terms: dict[Term, float] = {tuple(keyword.split()): weight for keyword, weight in keywords.items()}
    return pseudo_label(match_terms(tokenize(pl.Series("text", documents)), terms, stop_words=stop_words), phi=phi)


def slow_similarity(documents: list[str], keywords: Mapping[str, int]) -> NDArray[np.float64]:
    keyword_document = " ".join(" ".join([word] * count) for word, count in keywords.items())
    vectorizer = TfidfVectorizer(stop_words="english", token_pattern=r"(?u)\w+")
    held = [document for document in documents if document]  # an empty one is none
    X = vectorizer.fit_transform([*held, keyword_document]).toarray()
    similarity = np.zeros(len(documents))
    similarity[[place for place, document in enumerate(documents) if document]] = X[:-1] @ X[-1]
    return similarity


@given(DOCUMENTS, KEYWORDS, PHI)
def test_equals_scikit_learn_and_the_definition(documents: list[str], keywords: dict[str, int], phi: int) -> None:
    assume(set(" ".join([*documents, *keywords]).split()) - ENGLISH)
    expected = slow_similarity(documents, keywords)
    above = sorted(expected[expected > 0])
    if not above:
        with pytest.raises(KeywordError):
            label(documents, keywords, phi)
        return
    positive = expected >= above[(len(above) - 1) * (100 - phi) // 100] - 1e-12
    if positive.all():
        with pytest.raises(KeywordError):
            label(documents, keywords, phi)
        return
    labels = label(documents, keywords, phi)
    np.testing.assert_allclose(labels.similarity, expected, atol=1e-12)
    assert labels.positive.tolist() == positive.tolist()
    assert sorted([*labels.positives, *labels.negatives]) == list(range(len(documents)))
    assert labels.share == len(labels.positives) / len(documents)
    used = [keyword for keyword in keywords if keyword not in ENGLISH]
    assert labels.terms == tuple((keyword,) for keyword in used)
    assert labels.matches.toarray().tolist() == [[d.split().count(word) for word in used] for d in documents]


@given(st.data(), PHI)
def test_order_of_documents_does_not_matter(data: st.DataObject, phi: int) -> None:
    documents = ["hockey", "law", *data.draw(DOCUMENTS)]
    order = data.draw(st.permutations(range(len(documents))))
    labels = label(documents, {"hockey": 3, "puck": 1}, phi)
    shuffled = label([documents[place] for place in order], {"hockey": 3, "puck": 1}, phi)
    assert shuffled.positive.tolist() == labels.positive[order].tolist()
    np.testing.assert_allclose(shuffled.similarity, labels.similarity[order])


def test_equally_similar_documents_share_a_label() -> None:
    # The same word counts and frequencies, added up in another order: equal but for rounding.
    rng = np.random.default_rng(0)
    groups = [[f"{letter}{number}" for number in range(60)] for letter in "ab"]
    padding = [" ".join(group[:number]) for group in groups for number in range(1, 60)]
    for _ in range(20):
        pair = [" ".join(["hockey", *rng.permutation(group)]) for group in groups]
        labels = label([*pair, "hockey", *padding], {"hockey": 1}, phi=50)
        assert labels.positive[:2].tolist() in ([True, True], [False, False])


def test_none_positive_names_the_terms() -> None:
    with pytest.raises(KeywordError, match=re.escape("No document holds any of 'hockey', 'ice hockey'")):
        label(["tax law", "rain"], {"hockey": 3, "ice hockey": 1})
    with pytest.raises(KeywordError, match="'k19' and 5 more:"):
        label(["tax law", "rain"], {f"k{number}": 1 for number in range(25)})


def test_all_positive_names_the_common_terms() -> None:
    with pytest.raises(
        KeywordError, match=re.escape("All 2 documents are pseudo-positive") + ".*'hockey', 'tax', or lower phi"
    ):
        label(["tax hockey", "hockey"], {"tax": 1, "hockey": 3, "puck": 1})


@pytest.mark.parametrize("phi", [0, -1, 100.5, float("nan")])
def test_phi_has_bounds(phi: float) -> None:
    with pytest.raises(SettingError, match=r"above 0 and up to 100; got"):
        label(["hockey", "tax"], {"hockey": 1}, phi)


def test_stop_words_have_no_say() -> None:
    documents = ["many goals", "many", "tax", "goals"]
    dropped = label(documents, {"many": 1, "goals": 1})
    kept = label(documents, {"many": 1, "goals": 1}, stop_words=ENGLISH - {"many"})
    assert dropped.positive.tolist() == [True, False, False, True]
    assert kept.positive.tolist() == [True, True, False, True]
    assert dropped.similarity[0] == dropped.similarity[3] == 1.0


def test_a_phrase_is_a_column_of_its_own() -> None:
    labels = label(["machine learning", "learning machine", "rain", "machine learning rain"], {"machine learning": 2})
    assert labels.positive.tolist() == [True, False, False, True]
    assert labels.matches.toarray().tolist() == [[1.0], [0.0], [0.0], [1.0]]
    # Five documents with the keyword document; the vector has the two words and the phrase.
    word, phrase, rain = np.log(6 / 4) + 1, np.log(6 / 4) + 1, np.log(6 / 3) + 1
    assert labels.similarity[0] == pytest.approx(phrase / np.sqrt(2 * word**2 + phrase**2))
    assert labels.similarity[3] == pytest.approx(phrase / np.sqrt(2 * word**2 + phrase**2 + rain**2))


def test_counts_at_hand_are_used() -> None:
    tokens = tokenize(pl.Series(["hockey game", "tax"]))
    given_counts = match_terms(tokens, {("hockey",): 3.0}, counts=count_words(tokens))
    assert given_counts.similarity.tolist() == match_terms(tokens, {("hockey",): 3.0}).similarity.tolist()
