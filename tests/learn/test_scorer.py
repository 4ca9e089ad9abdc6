from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from keysift.features.linear import LinearModel
from keysift.features.rows import Shares, Tfidf
from keysift.features.view import Part
from keysift.learn.scorer import ENCODER_WORD, Readable, ViewScorer, merged
from keysift.text.tokens import tokenize
from tests.features.corpora import WORDS, counted, sentence_vectors
from tests.learn.numbers import nearest_of


def a_scorer(seed: int, *, encoder: bool = False, nearest: bool = False) -> ViewScorer:
    """A part of shares and one of TF-IDF weights, each blind to some words; and documents to compare with."""
    rng = np.random.default_rng(seed)
    known, idf = rng.random(len(WORDS)) < 0.7, rng.choice([0.0, 1.0, 2.5], len(WORDS))
    parts = (
        Part(Shares(known), np.where(known, rng.normal(size=len(WORDS)), 0.0), float(rng.normal())),
        Part(Tfidf(idf), np.where(idf > 0, rng.normal(size=len(WORDS)), 0.0), float(rng.normal())),
    )
    model = LinearModel(rng.normal(size=3), float(rng.normal())) if encoder else None
    examples = sp.csr_array(rng.integers(0, 3, (40, len(WORDS))) * (rng.random((40, len(WORDS))) < 0.1) * 1.0)
    near = nearest_of(examples, rng.random(40), 2.0) if nearest else None
    return ViewScorer(WORDS, parts, model, lowest=-4.25 if encoder else -np.inf, nearest=near)


def documents_of(counts: sp.csr_array) -> Readable:
    return Readable(counts, sentence_vectors(counts.shape[0]))


@given(counts=counted(), seed=st.integers(0, 99), encoder=st.booleans(), nearest=st.booleans())
def test_what_the_words_add_is_the_score_but_for_a_constant(
    counts: sp.csr_array, seed: int, encoder: bool, nearest: bool
) -> None:
    scorer = replace(a_scorer(seed, encoder=encoder, nearest=nearest), lowest=-1e9)
    documents = documents_of(counts)
    scores = scorer.score(documents)
    moved = scorer.explain(documents, scores)
    assert moved.shape == (counts.shape[0], len(scorer.words))
    assert np.asarray(moved.sum(axis=1)).ravel() + scorer.constant == pytest.approx(scores, abs=1e-4)
    there = moved[:, : len(WORDS)].toarray() != 0
    assert not there[counts.toarray() == 0].any()


@given(counts=counted(), seed=st.integers(0, 99), encoder=st.booleans(), nearest=st.booleans())
def test_no_document_scores_as_low_as_the_floor(counts: sp.csr_array, seed: int, encoder: bool, nearest: bool) -> None:
    scorer = a_scorer(seed, encoder=encoder, nearest=nearest)
    assert (scorer.score(documents_of(counts)) > scorer.floor).all()
    worst = sp.csr_array(np.eye(len(WORDS)) * 1e6)
    assert (scorer.score(documents_of(worst)) > scorer.floor).all()


@pytest.mark.parametrize("encoder", [False, True])
@given(counts=counted(), seed=st.integers(0, 99))
def test_the_same_to_the_bit_from_what_was_saved(counts: sp.csr_array, seed: int, encoder: bool) -> None:
    scorer, documents = a_scorer(seed, encoder=encoder, nearest=seed % 2 == 0), documents_of(counts)
    again = ViewScorer.restore(*scorer.save())
    assert again.words.to_list() == scorer.words.to_list()
    assert again.floor == scorer.floor
    scores = scorer.score(documents)
    assert again.score(documents).tobytes() == scores.tobytes()
    assert again.explain(documents, scores).toarray().tobytes() == scorer.explain(documents, scores).toarray().tobytes()


@given(counts=counted(), seed=st.integers(0, 99))
def test_a_score_does_not_depend_on_the_neighbours(counts: sp.csr_array, seed: int) -> None:
    scorer, documents = a_scorer(seed, encoder=True), documents_of(counts)
    assert documents.vectors is not None
    together = scorer.score(documents)
    for row in range(counts.shape[0]):
        alone = Readable(counts[[row]], documents.vectors[[row]])
        assert scorer.score(alone).tobytes() == together[[row]].tobytes()


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    arrays, saved = a_scorer(0).save()
    with pytest.raises(KeyError, match=r"part\.1\.scores"):
        ViewScorer.restore({**arrays, "part.1.scores": arrays["part.1.scores"][:-1]}, saved)
    with pytest.raises(KeyError):
        ViewScorer.restore({name: array for name, array in arrays.items() if name != "part.0.rows"}, saved)


def test_the_encoder_is_one_more_word() -> None:
    assert a_scorer(0).words.to_list() == WORDS.to_list()
    assert a_scorer(0, encoder=True).words.to_list() == [*WORDS, ENCODER_WORD]


def test_new_documents_are_counted_over_the_vocabulary() -> None:
    tokens = tokenize(pl.Series(["goal goal unknown", "", "the law"]))
    prepared = a_scorer(0).prepare(tokens)
    assert prepared.counts.shape == (3, len(WORDS))
    assert prepared.counts.sum(axis=1).tolist() == [2, 0, 2]
    assert prepared.vectors is None


@given(counts=counted(), seed=st.integers(0, 99))
def test_parts_that_weigh_alike_become_one(counts: sp.csr_array, seed: int) -> None:
    one, two = a_scorer(seed), a_scorer(seed + 1)
    alike = [replace(part, scores=part.scores * 2, offset=1.0) for part in one.parts]
    together = merged([*one.parts, *alike])
    assert len(together) == 2
    documents = Readable(counts)
    every = ViewScorer(WORDS, (*one.parts, *alike))
    assert ViewScorer(WORDS, together).score(documents) == pytest.approx(every.score(documents))
    different = {tuple(part.rows.known) for part in (*one.parts, *two.parts)}
    assert len(merged([*one.parts, *two.parts])) >= len(different) / 2
    assert merged([one.parts[0]]) == (one.parts[0],)
