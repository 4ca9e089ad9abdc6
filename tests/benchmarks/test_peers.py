import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from benchmarks.quality import peers
from benchmarks.quality.peers.features import tfidf
from benchmarks.quality.systems import ORACLES, SYSTEMS, Peer
from keysift.errors import SettingError

PACKAGES = {"bm25": "bm25s", "corex": "corextopic", "pulearn": "pulearn", "snorkel": "snorkel"}
KEYWORDS = ("hockey", "baseball")

Halves = tuple[list[str], list[str], NDArray[np.bool_]]


def peer_named(name: str) -> Peer:
    if name in PACKAGES:
        pytest.importorskip(PACKAGES[name], reason=f"{PACKAGES[name]} is not installed: pip install '.[bench]'")
    peer: Peer = getattr(peers, name)
    return peer


@pytest.fixture
def halves(corpus: pl.DataFrame) -> Halves:
    """Forty documents to learn from, twenty to rank, and which of these are about sports."""
    texts = corpus["text"].to_list()
    return texts[:40], texts[40:], (corpus["topic"][40:] == "sports").to_numpy()


@pytest.mark.parametrize("name", peers.__all__)
def test_a_peer_ranks_the_topic_of_the_keywords_first(name: str, halves: Halves) -> None:
    train, test, sports = halves
    scores = peer_named(name)(train, test, KEYWORDS)
    assert scores.shape == (20,)
    assert scores.dtype == np.float64
    assert roc_auc_score(sports, scores) > 0.7


@pytest.mark.parametrize("name", peers.__all__)
def test_a_peer_is_repeatable_and_leaves_numpys_errors_alone(name: str, halves: Halves) -> None:
    train, test, _ = halves
    before = np.geterr()
    scores = peer_named(name)(train, test, KEYWORDS)
    assert np.geterr() == before
    assert peer_named(name)(train, test, KEYWORDS).tolist() == scores.tolist()


@pytest.mark.parametrize("name", peers.__all__)
def test_keywords_that_no_document_has_leave_a_tie(name: str, halves: Halves) -> None:
    train, test, _ = halves
    assert np.unique(peer_named(name)(train, test, ("xylophone", "zither", "middle ear"))).size == 1


@pytest.mark.parametrize("name", PACKAGES)
def test_a_peer_that_is_not_installed_says_how_to_get_it(
    name: str, halves: Halves, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, test, _ = halves
    said = f"This peer needs {PACKAGES[name]}, which is not installed: pip install '.[bench]'."
    monkeypatch.setitem(sys.modules, PACKAGES[name], None)
    for keywords in (KEYWORDS, ("xylophone",)):
        with pytest.raises(SettingError, match=re.escape(said)):
            getattr(peers, name)(train, test, keywords)


def test_the_extra_brings_the_packages() -> None:
    project = Path(__file__).parents[2] / "pyproject.toml"
    extras = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(PACKAGES.values()) < {needed.partition(">=")[0] for needed in extras["bench"]}


def test_counting_adds_up_keywords_and_phrases() -> None:
    scores = peers.counting([], ["Space, space", "the Middle East", "middle of the east"], ["space", "middle east"])
    assert scores.tolist() == [2, 1, 0]


def test_trivial_is_the_difference_of_two_means(halves: Halves) -> None:
    train, test, _ = halves
    known, new = (part.toarray() for part in tfidf(tuple(train), tuple(test)))
    found = np.array(["hockey" in text or "baseball" in text for text in train])
    slow = [sum(row * (known[found].mean(axis=0) - known[~found].mean(axis=0))) for row in new]
    assert peers.trivial(train, test, KEYWORDS) == pytest.approx(slow)
    assert np.linalg.norm(known, axis=1) == pytest.approx(1)


def test_every_peer_is_a_system() -> None:
    assert set(peers.__all__) | set(ORACLES) < set(SYSTEMS)
