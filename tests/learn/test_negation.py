import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.sentences import SentenceView
from keysift.features.view import SPREAD, Documents
from keysift.learn.negation import NegatedCopies, find_negation

WORDS = pl.Series("word", ["good"])


def documents_of(vectors: NDArray[np.float64]) -> Documents:
    return Documents(sp.csr_array((len(vectors), 1)), vectors.astype(np.float32))


def judged(
    opposite: float, rng: np.random.Generator, number: int = 400
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NegatedCopies]:
    """Documents for and against along the first axis; a negated keyword moves a document by `opposite` along it."""
    truth = np.arange(number) % 2 == 0
    vectors = rng.normal(size=(number, 5))
    vectors[:, 0] += np.where(truth, 1.0, -1.0)
    some = vectors[truth][:60]
    moved = some + rng.normal(scale=0.3, size=some.shape)
    moved[:, 0] -= opposite
    masked = some + rng.normal(scale=0.3, size=some.shape)
    return truth, vectors, NegatedCopies(np.arange(60), documents_of(some), documents_of(moved), documents_of(masked))


def test_negated_keywords_lead_to_the_other_side() -> None:
    _, vectors, copies = judged(1.5, np.random.default_rng(0))
    documents = documents_of(vectors)
    sentences = SentenceView().fit(documents, WORDS)
    negation = find_negation(sentences, copies, np.arange(120, 400))
    assert negation.found > 0.7
    assert negation.leads
    seen = np.asarray(negation.X).ravel()
    assert np.corrcoef(seen, vectors[:, 0])[0, 1] > 0.9
    assert seen.std() == pytest.approx(SPREAD)
    assert np.asarray(negation.transform(documents)).ravel() == pytest.approx(seen)


def test_a_negation_that_leads_nowhere_is_seen() -> None:
    _, vectors, copies = judged(0.0, np.random.default_rng(1))
    away = NegatedCopies(copies.places, copies.plain, copies.masked, copies.masked)
    assert away.negated.vectors is not None
    sideways = away.negated.vectors + np.eye(5, dtype=np.float32)[3]  # the same way for all, on no axis that matters
    sentences = SentenceView().fit(documents_of(vectors), WORDS)
    copies = NegatedCopies(copies.places, copies.plain, documents_of(sideways.astype(np.float64)), copies.masked)
    assert not find_negation(sentences, copies, np.arange(120, 400)).leads


def test_a_score_of_the_view_is_a_score_of_the_sentence_vector() -> None:
    _, vectors, copies = judged(1.0, np.random.default_rng(2))
    documents = documents_of(vectors)
    negation = find_negation(SentenceView().fit(documents, WORDS), copies, np.arange(120, 400))
    model = negation.part(np.array([0.7]), WORDS)
    assert model.score(vectors) == pytest.approx(0.7 * np.asarray(negation.X).ravel(), abs=1e-3)


@pytest.mark.parametrize(("number", "others"), [(9, 100), (60, 0)])
def test_too_few_documents_tell_nothing(number: int, others: int) -> None:
    _, vectors, copies = judged(1.0, np.random.default_rng(3))
    few = [
        Documents(part.counts[:number], part.vectors[:number])
        for part in (copies.plain, copies.negated, copies.masked)
        if part.vectors is not None
    ]
    sentences = SentenceView().fit(documents_of(vectors), WORDS)
    negation = find_negation(sentences, NegatedCopies(copies.places[:number], *few), np.arange(others))
    assert np.isnan(negation.found)
    assert not negation.leads
    assert np.isfinite(np.asarray(negation.X)).all()


def test_a_keyword_that_changes_nothing_when_negated() -> None:
    _, vectors, copies = judged(1.0, np.random.default_rng(4))
    sentences = SentenceView().fit(documents_of(vectors), WORDS)
    negation = find_negation(
        sentences, NegatedCopies(copies.places, copies.plain, copies.plain, copies.masked), np.arange(120, 400)
    )
    assert not np.asarray(negation.X).any()
    assert not negation.leads


def test_rounding_is_no_direction() -> None:
    """An encoder that does not react to the negation gives the same vectors but for rounding."""
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(400, 5))
    vectors[:60, 0] += 2  # a topic, which any direction would find one way or the other
    sentences = SentenceView().fit(documents_of(vectors), WORDS)
    for _ in range(20):
        same = documents_of(vectors[:60] + rng.normal(scale=1e-6, size=(60, 5)))
        copies = NegatedCopies(np.arange(60), documents_of(vectors[:60]), same, documents_of(vectors[:60]))
        assert not find_negation(sentences, copies, np.arange(60, 400)).leads


def test_what_a_document_says_itself_is_not_used_to_find_it() -> None:
    """In many dimensions the mean of noise points to every document that it is made of."""
    rng = np.random.default_rng(6)
    vectors = rng.normal(size=(300, 200))
    sentences = SentenceView().fit(documents_of(vectors), WORDS)
    some = documents_of(vectors[:60])
    copies = NegatedCopies(np.arange(60), some, documents_of(np.zeros((60, 200))), some)
    negation = find_negation(sentences, copies, np.arange(60, 300))
    seen_by_itself = np.asarray(negation.X).ravel()
    assert (seen_by_itself[:60] > np.median(seen_by_itself)).mean() > 0.9
    assert negation.found == pytest.approx(0.5, abs=0.1)
    blind = np.asarray(negation.masked).ravel()
    assert (blind > np.median(seen_by_itself[60:])).mean() < 0.7


@pytest.mark.parametrize("others", [5, 30, 200])
def test_what_chance_may_give_is_not_followed(others: int) -> None:
    """Twelve documents that are like all others: over many draws few directions are followed."""
    followed = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        sentences = SentenceView().fit(documents_of(rng.normal(size=(200, 5))), WORDS)
        copies = NegatedCopies(np.arange(12), *(documents_of(rng.normal(size=(12, 5))) for _ in range(3)))
        followed += find_negation(sentences, copies, np.arange(others)).leads
    assert followed <= 8
