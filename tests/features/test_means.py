import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from numpy.typing import NDArray

from keysift.features import means
from keysift.features.means import PieceView, WordView
from keysift.features.view import SPREAD, Documents, Part
from keysift.vectors.words import unit_rows
from tests.features.corpora import VECTORS, WORDS, counted, load_short_pieces


def vectors_of(view: WordView | PieceView) -> dict[str, NDArray[np.float64]]:
    """A unit vector for each word that has one."""
    if isinstance(view, PieceView):
        pieces = load_short_pieces()
        matrix = np.asarray(pieces.spell(WORDS) @ pieces.matrix, dtype=np.float64)
        return dict(zip(WORDS, matrix, strict=True))
    unit = unit_rows(VECTORS.matrix).astype(np.float64)
    return {word: unit[row] for row, word in enumerate(VECTORS.words) if word in set(WORDS)}


@pytest.mark.parametrize("view", [WordView(VECTORS), PieceView()], ids=["words", "pieces"])
@settings(max_examples=15)
@given(counts=counted())
def test_features_are_mean_vectors_measured_from_the_average_word(
    view: WordView | PieceView, counts: sp.csr_array
) -> None:
    vectors = vectors_of(view)
    read = [np.repeat(WORDS.to_list(), row.astype(int)) for row in counts.toarray()]
    known = [[vectors[word] for word in document if word in vectors] for document in read]
    size = len(next(iter(vectors.values())))
    everything = [vector for document in known for vector in document]
    average = np.mean(everything, axis=0) if everything else np.zeros(size)
    means = np.array(
        [sum((vector - average for vector in document), np.zeros(size)) / (len(document) + 1) for document in known]
    )
    centred = means - means.mean(axis=0)
    deviation = centred.std(axis=0)
    if isinstance(view, WordView):
        scale = np.where(deviation > 1e-9, SPREAD / np.sqrt(size) / np.where(deviation > 1e-9, deviation, 1.0), 0.0)
    else:
        total = np.sqrt((deviation**2).sum())
        scale = np.full(size, SPREAD / total if total > 1e-6 else 0.0)
    X = view.fit(Documents(counts), WORDS).X
    assert np.asarray(X) == pytest.approx(centred * scale, abs=1e-4, rel=1e-4)  # vectors are of single precision


def test_words_without_a_vector_have_no_say() -> None:
    counts = sp.csr_array(np.eye(len(WORDS)))
    fitted = WordView(VECTORS).fit(Documents(counts), WORDS)
    part = fitted.part(np.ones(5), WORDS)
    assert isinstance(part, Part)
    known = WORDS.is_in(VECTORS.words.to_list()).to_numpy()
    assert (part.rows.known == known).all()
    assert not part.scores[~known].any()
    assert part.scores[known].all()


def test_every_word_has_pieces() -> None:
    counts = sp.csr_array(np.eye(len(WORDS)))
    fitted = PieceView().fit(Documents(counts), WORDS)
    part = fitted.part(np.ones(fitted.X.shape[1]), WORDS)
    assert isinstance(part, Part)
    assert part.rows.known.all()
    assert part.scores.all()


def test_a_long_list_is_spelled_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    words = pl.Series(["hockey", "goalie", "qzxv", "the", "été"])
    short = means._spelled(words)
    monkeypatch.setattr(means, "COMMON", 3)
    means._common.cache_clear()
    try:
        long = means._spelled(words)
    finally:
        means._common.cache_clear()
    np.testing.assert_array_equal(short.toarray(), long.toarray())
