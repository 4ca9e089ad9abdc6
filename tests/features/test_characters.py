import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.features.characters import CharacterView, FittedCharacters, words_never_seen
from keysift.features.view import SPREAD, CharacterPart, Documents
from keysift.learn.scorer import ViewScorer
from keysift.text.counts import count_words
from keysift.text.tokens import tokenize
from tests.features.corpora import WORDS, counted


def fitted_to(counts: sp.csr_array) -> FittedCharacters:
    fitted = CharacterView().fit(Documents(counts), WORDS)
    assert isinstance(fitted, FittedCharacters)
    return fitted


def coefficients(fitted: FittedCharacters, seed: int) -> NDArray[np.float64]:
    return np.asarray(np.random.default_rng(seed).normal(size=fitted.X.shape[1]))


@settings(max_examples=30)
@given(counts=counted())
def test_features_equal_the_slow_twin(counts: sp.csr_array) -> None:
    cells = counts.toarray()
    telling = np.log((1 + len(cells)) / (1 + (cells > 0).sum(axis=0))) + 1
    rows = np.where(cells > 0, 1 + np.log(np.maximum(cells, 1)), 0.0) * telling
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, 1.0)
    fitted = fitted_to(counts)
    features = rows @ fitted.pieces.spell(WORDS).toarray()
    assert fitted.X.toarray() == pytest.approx(features * fitted.scale)  # type: ignore[union-attr]


@settings(max_examples=30)
@given(counts=counted())
def test_the_scale_is_right_where_words_share_no_piece(counts: sp.csr_array) -> None:
    fitted = fitted_to(counts)
    apart = (fitted.left.toarray() ** 2) @ (fitted.right.toarray() ** 2).sum(axis=1)
    assert np.sqrt(apart.mean()) == pytest.approx(SPREAD) or not fitted.right.nnz


def test_words_never_seen_are_scored_by_their_pieces() -> None:
    tokens = tokenize(pl.Series(["hockey", "hockeys", "hockeyish", "garlic", "garlics", "garlicky"]))
    counts = count_words(tokens)
    fitted = CharacterView().fit(Documents(counts), tokens.words)
    about = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    coef = np.asarray(fitted.X.T @ about)
    part = fitted.part(coef, tokens.words)
    assert isinstance(part, CharacterPart)
    scorer = ViewScorer(tokens.words, (), characters=part)
    new = scorer.prepare(tokenize(pl.Series(["hockeyfan", "garlicbread", "xyz"])))
    assert not new.counts.nnz  # none of the words is known
    first, second, unknown = scorer.score(new)
    assert first > unknown == 0.0 > second
    again = scorer.prepare(tokens, counts)
    assert scorer.score(again) == pytest.approx(np.asarray(fitted.X @ coef))


@given(counts=counted(), fewer=st.integers(0, len(WORDS)), seed=st.integers(0, 9))
def test_known_and_other_words_add_up(counts: sp.csr_array, fewer: int, seed: int) -> None:
    """To what all of them would score if all were known, at the weights they have."""
    fitted = fitted_to(counts)
    part = fitted.part(coefficients(fitted, seed), WORDS)
    assert isinstance(part, CharacterPart)
    telling = np.where(np.arange(len(WORDS)) < fewer, part.rows.idf, part.unseen)
    cells = counts.toarray()
    rows = np.where(cells > 0, 1 + np.log(np.maximum(cells, 1)), 0.0) * telling
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    expected = (rows / np.where(lengths > 0, lengths, 1.0)) @ (fitted.pieces.spell(WORDS) @ part.pieces_scores)
    known = CharacterPart(
        type(part.rows)(part.rows.idf[:fewer]), part.scores[:fewer], 0.0, part.pieces, part.pieces_scores, part.unseen
    )
    scorer = ViewScorer(WORDS.head(fewer), (), characters=known)
    every = WORDS.to_list()
    texts = [" ".join(every[place] for place in np.repeat(np.arange(len(every)), row)) for row in cells.astype(int)]
    assert scorer.score(scorer.prepare(tokenize(pl.Series(texts)))) == pytest.approx(expected, abs=1e-9)


@given(counts=counted(), seed=st.integers(0, 9))
def test_words_never_seen_add_the_same_to_the_bit_in_any_company(counts: sp.csr_array, seed: int) -> None:
    fitted = fitted_to(counts)
    part = fitted.part(coefficients(fitted, seed), WORDS)
    assert isinstance(part, CharacterPart)
    whole = words_never_seen(part, counts, WORDS)
    order = np.random.default_rng(seed).permutation(len(WORDS))
    other = words_never_seen(part, sp.csr_array(counts[:, order]), WORDS.gather(order))
    assert other.tobytes() == whole.tobytes()
    for row in range(counts.shape[0]):
        held = np.flatnonzero(counts[[row]].toarray().ravel())
        alone = words_never_seen(part, sp.csr_array(counts[[row]][:, held]), WORDS.gather(held))
        assert alone.tobytes() == whole[[row]].tobytes()
