import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.learn.nearest import Nearest
from tests.learn.numbers import nearest_of

VOCABULARY = 90


def counted(number: int, seed: int, words: int = VOCABULARY, density: float = 0.1) -> sp.csr_array:
    rng = np.random.default_rng(seed)
    there = sp.random_array((number, words), density=density, rng=rng)
    there.data = rng.integers(1, 4, there.nnz).astype(float)
    return sp.csr_array(there)


def found(seed: int = 0, number: int = 300, words: int = VOCABULARY + 7, weight: float = 2.0) -> Nearest:
    """Examples whose worth is the first word; the last words are not in them."""
    counts = counted(number, seed)
    values = counts[:, [0]].toarray().ravel() + np.random.default_rng(seed).random(number)
    nearest = nearest_of(counts, values, weight, words=words, documents=np.arange(0, number, 2))
    assert nearest is not None
    return nearest


def scored(nearest: Nearest, counts: sp.csr_array) -> NDArray[np.float64]:
    return nearest.score(nearest.examples.similar(counts))


def explained(nearest: Nearest, counts: sp.csr_array) -> sp.csr_array:
    return nearest.explain(nearest.examples.similar(counts))


def wide(counts: sp.csr_array) -> sp.csr_array:
    return sp.csr_array((counts.data, counts.indices, counts.indptr), shape=(counts.shape[0], VOCABULARY + 7))


def slowly(nearest: Nearest, counts: sp.csr_array) -> NDArray[np.float64]:
    """The obvious way: one document after the other."""
    scores = []
    for row in nearest.examples.weigh(counts).toarray():
        row[np.argsort(-row, kind="stable")[DEFAULT.example_words :]] = 0.0
        row /= np.linalg.norm(row) or 1.0
        similarity = nearest.examples.documents.toarray() @ row
        order = np.argsort(-similarity, kind="stable")
        best = order[int(similarity[order[0]] >= DEFAULT.copy_similarity) :][: DEFAULT.neighbours]
        total = similarity[best].sum()
        mean = similarity[best] @ nearest.values[best] / total if total > 0 else 0.0
        scores.append(mean * nearest.scale + nearest.offset)
    return np.array(scores)


@pytest.mark.parametrize("number", [12, 300])
def test_the_score_is_the_mean_of_the_nearest(number: int) -> None:
    nearest = found(number=number)
    counts = wide(counted(40, 1))
    assert scored(nearest, counts) == pytest.approx(slowly(nearest, counts), abs=1e-4)


def test_long_documents_are_compared_by_their_heaviest_words() -> None:
    nearest = found()
    counts = wide(counted(5, 2, density=0.9))
    assert (np.diff(counts.indptr) > DEFAULT.example_words).all()
    assert scored(nearest, counts) == pytest.approx(slowly(nearest, counts), abs=1e-4)


@given(seed=st.integers(0, 99))
def test_what_the_words_add_is_the_score_but_for_the_offset(seed: int) -> None:
    nearest, counts = found(seed), wide(counted(15, seed + 100))
    moved = explained(nearest, counts)
    assert moved.shape == counts.shape
    assert np.asarray(moved.sum(axis=1)).ravel() + nearest.offset == pytest.approx(scored(nearest, counts), abs=1e-4)
    assert not (moved.toarray() != 0)[counts.toarray() == 0].any()
    assert (scored(nearest, counts) >= nearest.offset).all()


def test_a_document_is_not_its_own_example() -> None:
    """Else training documents would score as others of their kind never do."""
    counts = counted(300, 0)
    values = np.zeros(300)
    values[0] = 1.0
    nearest = nearest_of(counts, values, 1.0)
    assert nearest is not None
    assert scored(nearest, counts[[0]])[0] == pytest.approx(nearest.offset)


def test_copies_of_a_document_are_examples_of_it() -> None:
    """A text that was sent thirty times is no stranger."""
    letter = sp.csr_array((np.arange(VOCABULARY) >= 80)[None, :] * 1.0)
    others = counted(300, 0).toarray() * (np.arange(VOCABULARY) < 80)
    counts = sp.csr_array(sp.vstack([sp.csr_array(others), *[letter] * 30], format="csr"))
    values = np.where(np.arange(330) < 300, 0.1, 1.0)
    nearest = nearest_of(counts, values, 1.0)
    assert nearest is not None
    scores = scored(nearest, counts)
    assert scores[300:].min() > scores[:300].max()


def test_words_without_a_say_make_no_documents_alike() -> None:
    silent = np.arange(VOCABULARY) < 50
    counts = counted(300, 0)
    nearest = nearest_of(counts, np.random.default_rng(0).random(300), 1.0, silent=silent)
    assert nearest is not None
    assert not explained(nearest, counts)[:, :50].nnz


def test_documents_like_none_have_the_lowest_score() -> None:
    nearest = found()
    strange = sp.csr_array(
        (np.array([3.0]), np.array([VOCABULARY + 3]), np.array([0, 1, 1])), shape=(2, VOCABULARY + 7)
    )
    assert scored(nearest, strange).tolist() == [nearest.offset] * 2
    assert explained(nearest, strange).nnz == 0
    assert scored(nearest, strange[:0]).tolist() == []
    assert explained(nearest, strange[:0]).shape == (0, VOCABULARY + 7)


def test_scores_of_training_documents_deviate_by_the_weight() -> None:
    counts = counted(300, 0)
    nearest = nearest_of(counts, counts[:, [0]].toarray().ravel(), 3.0)
    assert nearest is not None
    scores = scored(nearest, counts)
    assert scores.mean() == pytest.approx(0.0, abs=1e-4)
    assert scores.std() == pytest.approx(3.0, rel=1e-3)


def test_examples_that_are_all_worth_the_same_tell_nothing() -> None:
    counts = counted(50, 0)
    for value in (0.0, 1.0, 0.3):
        assert nearest_of(counts, np.full(50, value), 1.0) is None


def test_one_example_is_no_example() -> None:
    assert nearest_of(counted(50, 0), np.ones(50), 1.0, documents=np.array([3])) is None


def test_the_same_to_the_bit_from_what_was_saved() -> None:
    nearest, counts = found(), wide(counted(30, 5))
    again = Nearest.restore(*nearest.save(), words=VOCABULARY + 7)
    assert scored(again, counts).tolist() == scored(nearest, counts).tolist()
    assert (explained(again, counts).toarray() == explained(nearest, counts).toarray()).all()


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("nearest.idf", lambda array: array[:-1]),
        ("nearest.words", lambda array: array + 1000),
        ("nearest.words", lambda array: array - 50),
        ("nearest.weights", lambda array: array[:-1]),
        ("nearest.ends", lambda array: array[:-1]),
        ("nearest.ends", lambda array: array[::-1]),
        ("nearest.values", lambda array: array[:-1]),
        ("nearest.values", lambda array: array * np.nan),
        ("nearest.ends", lambda array: np.where(np.arange(len(array)) == 5, 2**40, array).astype(np.uint64)),
        ("nearest.words", lambda array: array.astype(float) * np.nan),
        ("nearest.weights", lambda array: array[:, None]),
    ],
)
def test_what_does_not_fit_together_is_refused(name: str, damage: object) -> None:
    arrays, saved = found().save()
    assert callable(damage)
    with pytest.raises(KeyError, match="nearest"):
        Nearest.restore({**arrays, name: damage(arrays[name])}, saved, VOCABULARY + 7)


def test_a_score_that_was_looked_up_once_is_the_same() -> None:
    nearest, counts = found(), wide(counted(30, 5))
    similar = nearest.examples.similar(counts)
    some = np.array([3, 11, 29])
    assert nearest.score(similar.take(some)).tobytes() == scored(nearest, counts)[some].tobytes()
    assert (
        nearest.explain(similar.take(some)).toarray().tobytes() == explained(nearest, counts[some]).toarray().tobytes()
    )


@pytest.mark.parametrize("damage", [{"scale": np.nan}, {"offset": np.inf}, {"neighbours": 0}, {"words": 0}])
def test_numbers_that_cannot_be_are_refused(damage: dict[str, float]) -> None:
    arrays, saved = found().save()
    with pytest.raises(KeyError, match="nearest"):
        Nearest.restore(arrays, {**saved, **damage}, VOCABULARY + 7)


@pytest.mark.parametrize(
    "config", [LearnConfig(neighbours=3), LearnConfig(example_words=4), LearnConfig(common_word=0.09)]
)
def test_a_model_keeps_the_numbers_it_was_made_with(config: LearnConfig) -> None:
    counts = counted(300, 0)
    values = counts[:, [0]].toarray().ravel() + np.random.default_rng(0).random(300)
    usual, other = nearest_of(counts, values, 1.0), nearest_of(counts, values, 1.0, config=config)
    assert usual is not None
    assert other is not None
    new = counted(40, 1)
    assert scored(other, new).tolist() != scored(usual, new).tolist()
    again = Nearest.restore(*other.save(), words=VOCABULARY)
    assert scored(again, new).tobytes() == scored(other, new).tobytes()


def test_only_a_copy_is_taken_for_the_document_itself() -> None:
    """With a lower bar, a document that is merely similar is left out as well."""
    counts = counted(300, 0)
    values = np.random.default_rng(0).random(300)
    usual = nearest_of(counts, values, 1.0)
    strict = nearest_of(counts, values, 1.0, config=LearnConfig(copy_similarity=0.0))
    assert usual is not None
    assert strict is not None
    new = counted(40, 1)
    second = np.sort(usual.examples.similar(new).similarity, axis=1)[:, -2]
    assert strict.examples.similar(new).similarity.max(axis=1).tolist() == second.tolist()
