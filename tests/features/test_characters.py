from collections import Counter

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.features import characters, rows
from keysift.features.characters import LEAST, CharacterView, gram_counts, spell
from keysift.features.gram_table import LONGEST, SIZES
from keysift.features.view import SPREAD, CharacterPart, Documents
from keysift.learn.scorer import ViewScorer
from keysift.text.counts import count_words
from keysift.text.tokens import tokenize
from tests.features.corpora import WORDS, counted

SPELLED = st.lists(st.text(alphabet="abé ßx", min_size=1, max_size=6), max_size=6)


def slow_grams(word: str) -> Counter[str]:
    padded = f" {word[:LONGEST]} "
    return Counter(padded[start : start + size] for size in SIZES for start in range(len(padded) - size + 1))


@given(words=SPELLED)
def test_spelling_equals_the_slow_twin(words: list[str]) -> None:
    matrix, grams = spell(pl.Series("word", words, dtype=pl.String))
    slow = [slow_grams(word) for word in words]
    assert sorted(grams.to_list()) == sorted(set().union(*slow))
    assert matrix.toarray().tolist() == [[one[gram] for gram in grams] for one in slow]


@given(words=SPELLED, known=st.sets(st.sampled_from([" ab", "abx", "bé ", "aaaa", "zzz"])))
def test_only_known_grams_are_looked_up(words: list[str], known: set[str]) -> None:
    wanted = pl.Series("gram", sorted(known), dtype=pl.String)
    matrix, grams = spell(pl.Series("word", words, dtype=pl.String), wanted)
    assert grams.to_list() == wanted.to_list()
    assert matrix.shape == (len(words), len(known))
    assert matrix.toarray().tolist() == [[slow_grams(word)[gram] for gram in wanted] for word in words]


def test_of_a_long_word_only_the_beginning_counts() -> None:
    words = pl.Series(["a" * LONGEST + "bcd", "a" * LONGEST])
    matrix, _ = spell(words)
    assert matrix.toarray()[0].tolist() == matrix.toarray()[1].tolist()


@settings(max_examples=30)
@given(counts=counted())
def test_features_equal_the_slow_twin(counts: sp.csr_array) -> None:
    slow: list[Counter[str]] = []
    for row in counts.toarray().astype(int):
        total: Counter[str] = Counter()
        for word, times in zip(WORDS, row, strict=True):
            for _ in range(times):
                total += slow_grams(word)
        slow.append(total)
    documents = Counter(gram for one in slow for gram in one)
    kept = sorted(gram for gram, number in documents.items() if number >= LEAST)
    idf = np.array([np.log((1 + len(slow)) / (1 + documents[gram])) + 1 for gram in kept])
    rows = np.array([[1 + np.log(one[gram]) if one[gram] else 0.0 for gram in kept] for one in slow]) * idf
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows / np.where(lengths > 0, lengths, 1.0)
    fitted = CharacterView().fit(Documents(counts), WORDS)
    part = fitted.part(np.zeros(len(kept)), WORDS)
    assert isinstance(part, CharacterPart)
    assert sorted(part.grams.to_list()) == kept
    order = np.argsort(part.grams.to_numpy())
    assert isinstance(fitted.X, sp.csr_array)
    spread = np.sqrt(rows.var(axis=0).sum())
    if spread > 1e-5:
        assert fitted.X.toarray()[:, order] == pytest.approx(rows * SPREAD / spread, rel=1e-5, abs=1e-5)


def test_words_never_seen_are_scored_by_their_pieces() -> None:
    tokens = tokenize(pl.Series(["hockey", "hockeys", "hockeyish", "garlic", "garlics", "garlicky"]))
    counts = count_words(tokens)
    fitted = CharacterView().fit(Documents(counts), tokens.words)
    about = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    part = fitted.part(np.asarray(fitted.X.T @ about), tokens.words)
    assert isinstance(part, CharacterPart)
    scorer = ViewScorer(tokens.words, (), characters=part)
    new = scorer.prepare(tokenize(pl.Series(["hockeyfan", "garlicbread", "xyz"])))
    assert not new.counts.nnz  # none of the words is known
    first, second, unknown = scorer.score(new)
    assert first > unknown == 0.0 > second
    again = scorer.prepare(tokens, counts)
    assert scorer.score(again) == pytest.approx(np.asarray(fitted.X @ (fitted.X.T @ about)))


def test_counts_of_grams_add_up_over_words() -> None:
    spelled, grams = spell(pl.Series(["abc", "abd"]))
    total = gram_counts(sp.csr_array(np.array([[2.0, 1.0]])), spelled).toarray().ravel()
    assert total[grams.to_list().index(" ab")] == 3.0
    assert total[grams.to_list().index("abc")] == 2.0


@given(counts=counted())
def test_grams_of_a_document_are_counted_in_order(counts: sp.csr_array) -> None:
    spelled, grams = spell(WORDS)
    found = gram_counts(counts, spelled)
    assert found.toarray().tolist() == (counts.toarray() @ spelled.toarray()).tolist()
    assert found.shape == (counts.shape[0], len(grams))
    assert found.has_sorted_indices
    assert found.indices.dtype == found.indptr.dtype == np.int32  # the wider ones take half as much room again


@given(counts=counted(), block=st.integers(1, 4), seed=st.integers(0, 9))
def test_new_documents_score_to_the_bit_like_those_of_training(counts: sp.csr_array, block: int, seed: int) -> None:
    """Some documents at a time."""
    fitted = CharacterView().fit(Documents(counts), WORDS)
    part = fitted.part(np.asarray(np.random.default_rng(seed).normal(size=fitted.X.shape[1])), WORDS)
    assert isinstance(part, CharacterPart)
    assert isinstance(fitted.X, sp.csr_array)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "SPAN", block)
        scores = characters.score_spelling(part, counts, WORDS)
    assert scores.tobytes() == characters.add_up(fitted.X, part.scores).tobytes()
    assert scores == pytest.approx(np.asarray(fitted.X @ part.scores), rel=1e-12, abs=1e-12)


@given(counts=counted(), known=st.integers(0, len(WORDS)), seed=st.integers(0, 9))
def test_words_whose_spelling_is_known_change_no_score(counts: sp.csr_array, known: int, seed: int) -> None:
    fitted = CharacterView().fit(Documents(counts), WORDS)
    part = fitted.part(np.asarray(np.random.default_rng(seed).normal(size=fitted.X.shape[1])), WORDS)
    assert isinstance(part, CharacterPart)
    spelled = characters.spell_for(part, WORDS.head(known))
    scores = characters.score_spelling(part, counts, WORDS, spelled)
    assert scores.tobytes() == characters.score_spelling(part, counts, WORDS).tobytes()


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    counts = sp.csr_array(rng.poisson(0.5, (200, len(WORDS))).astype(np.float32))
    spelled, _ = spell(WORDS)
    whole = gram_counts(counts, spelled)
    monkeypatch.setattr(rows, "SPAN", 7)
    blocks = gram_counts(counts, spelled)
    for name in ("data", "indices", "indptr"):
        assert getattr(blocks, name).tobytes() == getattr(whole, name).tobytes()
