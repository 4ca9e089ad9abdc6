import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.features import neighbours
from keysift.features.neighbours import EACH, LAYOUTS, PENALISED, FittedNeighbours, NeighbourView, lay_out
from keysift.features.view import NARROW, NEAREST, SPREAD, Documents, NeighbourPart
from keysift.learn.view_fit import mean_difference

WORD = pl.Series("word", ["a"])
Vectors = NDArray[np.float32]


def gathered(places: int = 6, each: int = 40, width: int = 5, seed: int = 0) -> Vectors:
    """Documents around some places."""
    rng = np.random.default_rng(seed)
    centres = 3 * rng.normal(size=(places, width))
    around = np.repeat(centres, each, axis=0) + 0.4 * rng.normal(size=(places * each, width))
    return np.asarray(rng.permutation(around), dtype=np.float32)


def fit(vectors: Vectors, weights: NDArray[np.float64] | None = None) -> FittedNeighbours:
    # Each has a word of its own, by which it can be told whatever its place.
    names = pl.Series("word", [vector.tobytes().hex() for vector in vectors], dtype=pl.String)
    fitted = NeighbourView().fit(Documents(sp.eye_array(len(vectors), format="csr"), vectors, weights), names)
    assert isinstance(fitted, FittedNeighbours)
    return fitted


def slow(part: NeighbourPart, vector: Vectors) -> NDArray[np.float64]:
    """How far one document belongs to each neighbourhood, spelled out."""
    around = vector.astype(np.float64) - part.mean
    cosines = [float(around @ centre) / float(np.linalg.norm(around)) for centre in part.centres.astype(np.float64)]
    nearest = sorted(range(len(cosines)), key=lambda place: -cosines[place])[:NEAREST]
    odds = {place: float(np.exp(NARROW * cosines[place])) for place in nearest}
    return np.array([odds.get(place, 0.0) / sum(odds.values()) for place in range(len(cosines))])


@settings(max_examples=15)
@given(seed=st.integers(0, 999), places=st.integers(1, 40))
def test_a_document_belongs_to_the_nearest_by_the_exponential_of_the_cosine(seed: int, places: int) -> None:
    vectors = gathered(places, each=3, seed=seed)
    part = NeighbourPart(lay_out(vectors, vectors.mean(axis=0), places), vectors.mean(axis=0), np.zeros(places))
    found = part.belongs(vectors).toarray()
    assert found.sum(axis=1) == pytest.approx(1.0)
    for row in (0, len(vectors) - 1):
        assert found[row] == pytest.approx(slow(part, vectors[row]), abs=1e-4)


def test_the_mean_difference_is_how_much_more_often_keywords_are_found_around() -> None:
    fitted, held = fit(gathered()), np.zeros(240)
    held[:25] = np.linspace(0.5, 2, 25)
    scores = mean_difference(fitted, held).scores
    belongs = fitted.places.belongs(gathered())
    share, among = belongs.mean(axis=0), held @ belongs / held.sum()
    lift = np.asarray(belongs @ (among / share - 1))
    assert scores == pytest.approx((lift - lift.mean()) / lift.std())


def test_features_are_smaller_than_those_of_other_views_by_a_known_factor() -> None:
    X = fit(gathered()).X.toarray()
    assert np.sqrt(X.var(axis=0).sum()) == pytest.approx(SPREAD / PENALISED)


def test_documents_of_one_place_are_in_the_same_neighbourhoods() -> None:
    vectors = gathered(places=4, each=60)
    nearest = fit(vectors).places.belongs(vectors).toarray().argmax(axis=1)
    around = NeighbourPart.unit(vectors, vectors.mean(axis=0))
    same = nearest[:, None] == nearest
    assert (around @ around.T)[same].mean() > 0.9 > (around @ around.T)[~same].mean()


def test_the_part_gives_the_score_of_the_features_to_the_bit_in_any_company() -> None:
    vectors = gathered()
    fitted = fit(vectors)
    coef = np.random.default_rng(1).normal(size=fitted.X.shape[1])
    part = fitted.part(coef, WORD)
    scores = part.score(vectors)
    assert scores == pytest.approx(fitted.X @ coef)
    for some in (slice(0, 1), slice(3, 20), slice(7, 240, 11)):
        assert part.score(vectors[some]).tolist() == scores[some].tolist()


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.tile(gathered(), (20, 1))  # more than a block
    fitted = fit(vectors)
    part = fitted.part(np.arange(float(fitted.X.shape[1])), WORD)
    assert part.score(vectors)[-240:].tolist() == part.score(vectors[-240:]).tolist()


def test_the_order_of_the_documents_has_no_say() -> None:
    vectors, order = gathered(), np.random.default_rng(3).permutation(240)
    one, other = fit(vectors), fit(vectors[order])
    assert other.places.centres == pytest.approx(one.places.centres, abs=1e-6)
    assert other.X.toarray() == pytest.approx(one.X.toarray()[order], abs=1e-3)


def test_nor_have_the_last_digits_of_the_vectors() -> None:
    """They differ between processors, and neighbourhoods should not."""
    vectors = gathered(places=12)
    other = vectors + np.float32(1e-5) * np.random.default_rng(0).normal(size=vectors.shape).astype(np.float32)
    names = pl.Series("word", [str(place) for place in range(len(vectors))])
    counts = sp.eye_array(len(vectors), format="csr")
    one, two = (NeighbourView().fit(Documents(counts, some), names) for some in (vectors, other))
    assert two.X.toarray() == pytest.approx(one.X.toarray(), abs=0.05)  # type: ignore[union-attr]


def test_a_document_that_stands_for_two_counts_twice() -> None:
    vectors = gathered()
    twice = np.where(np.arange(240) < 60, 2.0, 1.0)
    fitted, plain = fit(vectors, twice), fit(vectors)
    ratio = (fitted.scale / plain.scale) ** 2
    belongs = plain.places.belongs(vectors)
    shares = [np.asarray(belongs.T @ weights) / weights.sum() for weights in (twice, np.ones(240))]
    assert ratio / ratio.mean() == pytest.approx((shares[1] / shares[0]) / (shares[1] / shares[0]).mean())


def test_what_was_not_encoded_is_in_no_neighbourhood() -> None:
    vectors = gathered()
    vectors[::3] = np.nan
    fitted = fit(vectors)
    assert fitted.known.tolist() == [place % 3 > 0 for place in range(240)]
    assert not fitted.X.toarray()[::3].any()
    assert fitted.X.toarray()[1::3].any(axis=1).all()
    alone = fit(vectors[fitted.known])
    assert alone.X.toarray() == pytest.approx(fitted.X.toarray()[fitted.known])
    again = fitted.transform(Documents(sp.csr_array((240, 1)), vectors))
    assert again.toarray().tolist() == fitted.X.toarray().tolist()


@pytest.mark.parametrize("documents", [0, 1, 2 * EACH - 1])
def test_few_documents_have_no_neighbourhoods(documents: int) -> None:
    fitted = fit(gathered(each=20)[:documents])
    assert fitted.X.shape == (documents, 0)
    assert fitted.part(np.zeros(0), WORD).score(np.ones((3, 5), dtype=np.float32)).tolist() == [0.0] * 3


def test_no_corpus_has_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MOST", 3)
    assert fit(gathered()).X.shape == (240, 3 * LAYOUTS)


def test_documents_that_are_all_the_same_have_no_features() -> None:
    X = fit(np.ones((90, 4), dtype=np.float32)).X.toarray()
    assert np.isfinite(X).all()
    assert X.std(axis=0) == pytest.approx(0.0)
