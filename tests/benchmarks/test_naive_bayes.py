"""The vectorised classifiers are NLTK's: same probabilities on random documents and on reviews."""

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.paper.datasets import SETS, find_data
from benchmarks.paper.features import presence_matrices, tokens_of
from benchmarks.paper.maxent import fit_maxent
from benchmarks.paper.naive_bayes import fit_naive_bayes, fit_positive_naive_bayes

nltk = pytest.importorskip("nltk.classify", reason="NLTK is not installed: pip install 'keysift[bench]'")

TRAIN, TEST = 150, 60


def random_texts(rng: np.random.Generator) -> list[str]:
    """Documents of Zipfian words; "always" is in all, some test words are in no training document."""
    return [
        " ".join(["always", *(f"w{min(rank, 400)}" for rank in rng.zipf(1.4, size=rng.integers(1, 25)))])
        for _ in range(TRAIN + TEST)
    ]


@pytest.fixture(scope="module", params=["random", "reviews"])
def documents(request: pytest.FixtureRequest) -> tuple[list[str], list[str], NDArray[np.bool_]]:
    rng = np.random.default_rng(0)
    if request.param == "random":
        texts, labels = random_texts(rng), rng.random(TRAIN + TEST) < 0.3
    else:
        folder = find_data()
        if folder is None:
            pytest.skip("the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data")
        every = SETS["custrev"].read(folder)
        rows = rng.permutation(len(every.texts))[: TRAIN + TEST]
        texts, labels = [every.texts[row] for row in rows], every.labels[rows] == 1
    return texts[:TRAIN], texts[TRAIN:], labels[:TRAIN]


def features(texts: list[str]) -> list[dict[str, bool]]:
    return [dict.fromkeys(tokens, True) for tokens in tokens_of(texts).to_list()]


def nltk_scores(model: object, texts: list[str]) -> list[float]:
    return [model.prob_classify(held).prob(True) for held in features(texts)]  # type: ignore[attr-defined]


def test_naive_bayes_is_nltks(documents: tuple[list[str], list[str], NDArray[np.bool_]]) -> None:
    train, test, labels = documents
    theirs = nltk.NaiveBayesClassifier.train(list(zip(features(train), labels.tolist(), strict=True)))
    held, tried = presence_matrices(train, test)
    np.testing.assert_allclose(fit_naive_bayes(held, labels).score(tried), nltk_scores(theirs, test), rtol=0, atol=1e-9)


@pytest.mark.parametrize("prior", [0.5, 0.2])
def test_positive_naive_bayes_is_nltks(documents: tuple[list[str], list[str], NDArray[np.bool_]], prior: float) -> None:
    train, test, labels = documents
    every = np.array(features(train))
    theirs = nltk.PositiveNaiveBayesClassifier.train(every[labels], every[~labels], prior)
    held, tried = presence_matrices(train, test)
    ours = fit_positive_naive_bayes(held[labels], held[~labels], prior).score(tried)
    np.testing.assert_allclose(ours, nltk_scores(theirs, test), rtol=0, atol=1e-9)


def test_maxent_is_nltks(documents: tuple[list[str], list[str], NDArray[np.bool_]]) -> None:
    train, test, labels = documents
    pairs = list(zip(features(train), labels.tolist(), strict=True))
    theirs = nltk.MaxentClassifier.train(pairs, algorithm="gis", trace=0)
    held, tried = presence_matrices(train, test)
    np.testing.assert_allclose(fit_maxent(held, labels).score(tried), nltk_scores(theirs, test), rtol=0, atol=1e-6)


def test_long_documents_are_tied_at_the_top() -> None:
    words = " ".join(f"w{number}" for number in range(200))
    held, tried = presence_matrices([words] * 5 + ["other"] * 5, [words, words + " other", "other"])
    scores = fit_naive_bayes(held, np.arange(10) < 5).score(tried)
    assert scores[0] == scores[1] == 1.0
    assert scores[2] < 0.5
