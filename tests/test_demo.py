import warnings

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift import KeywordClassifier
from keysift.config import LearnConfig
from keysift.corpus.documents import Corpus
from keysift.demo import KEYWORDS, SHORTEST, TARGET, collect_docstrings, count_keywords, is_target
from keysift.settings import Settings


@pytest.fixture(scope="module")
def docstrings() -> Corpus:
    seen: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus = collect_docstrings(seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    return corpus


def test_a_corpus_of_some_size(docstrings: Corpus) -> None:
    texts = docstrings.texts
    assert len(texts) == len(docstrings.ids) > 3000
    assert texts.str.len_bytes().sum() > 3_000_000
    assert texts.n_unique() == len(texts)
    assert texts.str.len_chars().min() >= SHORTEST  # type: ignore[operator]
    assert set(docstrings.ids.str.split(".").list.first()) == {"numpy", "scipy", "sklearn"}
    assert not docstrings.ids.str.contains(r"\.tests?\.|\.conftest").any()


def test_the_target_is_one_subpackage(docstrings: Corpus) -> None:
    target = is_target(docstrings).astype(bool)
    assert 0.01 < target.mean() < 0.5
    assert all(f"{name}.".startswith(f"{TARGET}.") for name in docstrings.ids.filter(target))
    assert not any(name.startswith(f"{TARGET}.") for name in docstrings.ids.filter(~target))


def precision_at(k: int, scores: NDArray[np.float64], truth: NDArray[np.int64]) -> float:
    return float(truth[np.argsort(-scores, kind="stable")[:k]].mean())


def test_keysift_beats_counting_keywords(docstrings: Corpus) -> None:
    truth, counts = is_target(docstrings), count_keywords(docstrings)
    clf = KeywordClassifier(
        list(KEYWORDS),
        views="words",
        encoder=None,
        learning=LearnConfig(rounds=0),
        settings=Settings(inflections=False),
    )
    clf.fit(docstrings.texts)
    scores = clf.decision_function(docstrings.texts)
    assert roc_auc_score(truth, scores) > roc_auc_score(truth, counts)
    assert precision_at(100, scores, truth) > precision_at(100, counts, truth)
    assert counts.sum() == clf.pseudo_labels_.matches[:, [clf.pseudo_labels_.terms.index((k,)) for k in KEYWORDS]].sum()
