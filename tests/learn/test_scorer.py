from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from keysift.features.characters import words_never_seen
from keysift.features.linear import LinearModel
from keysift.features.pieces import Pieces
from keysift.features.rows import Shares, Tfidf
from keysift.features.view import CharacterPart, Part
from keysift.files.fields import DamagedPartError
from keysift.learn import readable as readable_module
from keysift.learn.readable import Readable
from keysift.learn.scorer import CHARACTER_WORD, ENCODER_WORD, ViewScorer, merged
from keysift.text.tokens import tokenize
from tests.features.corpora import WORDS, counted, sentence_vectors

GRAMS = pl.Series("gram", [" go", "goal", "ock", "law", "aw ", "né "])
OTHERS = pl.Series("word", ["goalkeeper", "lawful"])
WHAT = st.sampled_from(["words", "characters", "encoder", "both", "taught"])


def a_scorer(seed: int, what: str = "words") -> ViewScorer:
    """A part of shares and one of TF-IDF weights, each blind to some words; and what else a model may have."""
    rng = np.random.default_rng(seed)
    known, idf = rng.random(len(WORDS)) < 0.7, rng.choice([0.0, 1.0, 2.5], len(WORDS))
    parts = (
        Part(Shares(known.astype(np.float64)), np.where(known, rng.normal(size=len(WORDS)), 0.0), float(rng.normal())),
        Part(Tfidf(idf), np.where(idf > 0, rng.normal(size=len(WORDS)), 0.0), float(rng.normal())),
    )
    spelling = CharacterPart(
        Tfidf(rng.uniform(1, 3, len(WORDS))),
        rng.normal(size=len(WORDS)),
        float(rng.normal()),
        Pieces(GRAMS, rng.uniform(1, 3, len(GRAMS))),
        rng.normal(size=len(GRAMS)),
        2.5,
    )
    encoder = LinearModel(rng.normal(size=3), float(rng.normal()))
    taught = Part(Tfidf(idf), np.where(idf > 0, rng.normal(size=len(WORDS)), 0.0), float(rng.normal()))
    return ViewScorer(
        WORDS,
        parts,
        encoder if what in ("encoder", "both", "taught") else None,
        lowest=-np.inf if what == "words" else -4.25,
        characters=spelling if what in ("characters", "both") else None,
        standing_in=taught if what == "taught" else None,
    )


def documents_of(scorer: ViewScorer, counts: sp.csr_array) -> Readable:
    """Every third document was not encoded."""
    vectors = sentence_vectors(counts.shape[0])
    vectors[2::3] = np.nan
    if scorer.characters is None:
        return Readable(counts, vectors)
    others = sp.csr_array(counts[:, ::-1][:, : len(OTHERS)])
    return Readable(counts, vectors, words_never_seen(scorer.characters, others, OTHERS))


@given(counts=counted(), seed=st.integers(0, 99), what=WHAT)
def test_what_the_words_add_is_the_score_but_for_a_constant(counts: sp.csr_array, seed: int, what: str) -> None:
    scorer = replace(a_scorer(seed, what), lowest=-1e9)
    documents = documents_of(scorer, counts)
    scores = scorer.score(documents)
    moved = scorer.explain(documents, scores)
    assert moved.shape == (counts.shape[0], len(scorer.words))
    assert np.asarray(moved.sum(axis=1)).ravel() == pytest.approx(scores - scorer.constant, abs=1e-9)
    there = moved[:, : len(WORDS)].toarray() != 0
    assert not there[counts.toarray() == 0].any()


@given(counts=counted(), seed=st.integers(0, 99))
def test_a_score_is_the_sum_of_its_parts(counts: sp.csr_array, seed: int) -> None:
    scorer = replace(a_scorer(seed, "both"), lowest=-1e9)
    documents = documents_of(scorer, counts)
    assert scorer.characters is not None
    assert scorer.encoder is not None
    assert documents.vectors is not None
    part, others = scorer.characters, counts.toarray()[:, ::-1][:, : len(OTHERS)]
    cells = np.hstack([counts.toarray(), others])
    rows = np.where(cells > 0, 1 + np.log(np.maximum(cells, 1)), 0) * np.append(
        part.rows.idf, [part.unseen] * len(OTHERS)
    )
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    spelled = np.append(part.scores, part.pieces.spell(OTHERS) @ part.pieces_scores)
    expected = sum((part.rows(counts) @ part.scores + part.offset for part in scorer.parts), np.zeros(counts.shape[0]))
    expected += rows @ spelled + part.offset
    encoded = documents.vectors.astype(np.float64) @ scorer.encoder.coef + scorer.encoder.offset
    assert scorer.score(documents) == pytest.approx(expected + np.nan_to_num(encoded))


@given(counts=counted(), seed=st.integers(0, 99))
def test_words_stand_in_where_there_is_no_vector(counts: sp.csr_array, seed: int) -> None:
    scorer = replace(a_scorer(seed, "taught"), lowest=-1e9)
    documents = documents_of(scorer, counts)
    assert scorer.standing_in is not None
    without = replace(scorer, standing_in=None)
    more = scorer.score(documents) - without.score(documents)
    expected = scorer.standing_in.rows(counts) @ scorer.standing_in.scores + scorer.standing_in.offset
    missing = np.arange(counts.shape[0]) % 3 == 2
    assert more == pytest.approx(np.where(missing, expected, 0.0))


@given(counts=counted(), seed=st.integers(0, 99), what=WHAT)
def test_no_document_scores_as_low_as_the_floor(counts: sp.csr_array, seed: int, what: str) -> None:
    scorer = a_scorer(seed, what)
    assert (scorer.score(documents_of(scorer, counts)) > scorer.floor).all()
    worst = sp.csr_array(np.eye(len(WORDS)) * 1e6)
    assert (scorer.score(documents_of(scorer, worst)) > scorer.floor).all()


@given(counts=counted(), seed=st.integers(0, 99), what=WHAT)
def test_the_same_to_the_bit_from_what_was_saved(counts: sp.csr_array, seed: int, what: str) -> None:
    scorer = a_scorer(seed, what)
    again = ViewScorer.restore(*scorer.save())
    documents = documents_of(scorer, counts)
    assert np.array_equal(documents_of(again, counts).never_seen, documents.never_seen)  # type: ignore[arg-type]
    assert again.words.to_list() == scorer.words.to_list()
    assert again.floor == scorer.floor
    scores = scorer.score(documents)
    assert again.score(documents).tobytes() == scores.tobytes()
    assert again.explain(documents, scores).toarray().tobytes() == scorer.explain(documents, scores).toarray().tobytes()


@given(counts=counted(), seed=st.integers(0, 99), what=WHAT)
def test_a_score_does_not_depend_on_the_documents_beside_it(counts: sp.csr_array, seed: int, what: str) -> None:
    scorer = a_scorer(seed, what)
    documents = documents_of(scorer, counts)
    together = scorer.score(documents)
    for row in range(counts.shape[0]):
        alone = documents.take(np.array([row]))
        assert scorer.score(alone).tobytes() == together[[row]].tobytes()
        beside = documents_of(scorer, counts[[row]]).never_seen
        assert np.array_equal(alone.never_seen, beside)  # type: ignore[arg-type]


def test_documents_are_scored_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = a_scorer(0, "both")
    counts = sp.csr_array(np.random.default_rng(0).poisson(0.5, (7, len(WORDS))).astype(np.float64))
    documents = documents_of(scorer, counts)
    whole = scorer.score(documents)
    moved = scorer.explain(documents, whole).toarray()
    monkeypatch.setattr(readable_module, "BLOCK", 3)
    assert scorer.score(documents).tobytes() == whole.tobytes()
    assert scorer.explain(documents, whole).toarray().tobytes() == moved.tobytes()


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    arrays, saved = a_scorer(0).save()
    with pytest.raises(DamagedPartError, match=r"part\.1\.scores must have the shape"):
        ViewScorer.restore({**arrays, "part.1.scores": arrays["part.1.scores"][:-1]}, saved)
    with pytest.raises(DamagedPartError, match=r"part\.0\.rows is missing"):
        ViewScorer.restore({name: array for name, array in arrays.items() if name != "part.0.rows"}, saved)


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("characters", "grams.scores"),
        ("characters", "characters.rows"),
        ("characters", "characters.scores"),
        ("taught", "standing_in.rows"),
    ],
)
def test_neither_are_grams_and_words_that_stand_in(what: str, name: str) -> None:
    arrays, saved = a_scorer(0, what).save()
    with pytest.raises(DamagedPartError, match=f"{name} must have the shape"):
        ViewScorer.restore({**arrays, name: arrays[name][:-1]}, saved)


def test_pieces_of_words_and_the_encoder_are_one_more_word_each() -> None:
    assert a_scorer(0).words.to_list() == WORDS.to_list()
    assert a_scorer(0, "both").words.to_list() == [*WORDS, CHARACTER_WORD, ENCODER_WORD]


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
