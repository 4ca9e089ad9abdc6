import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from keysift.networks.embedding import WordEmbedding
from tests.networks.words import some_documents, some_embedding, some_vectors

SEEN = np.array([2, 5, 9])


def test_word_w_has_row_w_minus_one_and_padding_nothing() -> None:
    vectors, embedding = torch.from_numpy(some_vectors()), some_embedding()
    assert torch.equal(embedding(torch.tensor([1, 30, 7])), vectors[[0, 29, 6]])
    assert embedding(torch.tensor([0])).tolist() == [[0.0] * 5]
    assert embedding.dim == 5


def test_the_vectors_handed_in_are_not_shared() -> None:
    matrix = some_vectors()
    embedding = WordEmbedding(matrix)
    matrix[:] = 0
    assert embedding(torch.tensor([1])).abs().sum() > 0


@pytest.mark.parametrize("tuned", [None, SEEN])
def test_the_state_has_no_table(tuned: NDArray[np.int64] | None) -> None:
    embedding = some_embedding(tuned)
    shapes = {name: tuple(value.shape) for name, value in embedding.state_dict().items()}
    assert shapes == ({} if tuned is None else {"tuned": (3,), "changes": (4, 5)})
    assert [name for name, _ in embedding.named_parameters()] == ([] if tuned is None else ["changes"])


def test_the_mean_is_over_the_words_only() -> None:
    documents = some_documents([3, 1, 0])
    vectors = torch.from_numpy(some_vectors())
    expected = torch.stack([vectors[documents[0] - 1].mean(0), vectors[documents[1, 0] - 1], torch.zeros(5)])
    torch.testing.assert_close(some_embedding().mean(documents), expected)


def test_tuning_starts_at_the_source_and_moves_only_words_that_were_seen() -> None:
    embedding, every = some_embedding(SEEN), torch.arange(31)
    before = embedding(every).detach().clone()
    assert torch.equal(before, some_embedding()(every))
    optimizer = torch.optim.Adam(embedding.parameters(), lr=0.1, weight_decay=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        embedding(torch.tensor([0, 2, 5, 9, 11])).square().sum().backward()
        optimizer.step()
    moved = (embedding(every) != before).any(1)
    assert np.flatnonzero(moved.numpy()).tolist() == SEEN.tolist()
    assert embedding(every)[SEEN].square().sum() < before[SEEN].square().sum()


def test_weight_decay_pulls_a_word_back_to_where_it_came_from() -> None:
    embedding, source = some_embedding(SEEN), some_embedding()(torch.from_numpy(SEEN))
    assert embedding.changes is not None
    with torch.no_grad():
        embedding.changes[1:] = 1.0
    optimizer = torch.optim.SGD(embedding.parameters(), lr=0.1, weight_decay=1.0)
    for _ in range(100):
        optimizer.zero_grad()
        (0 * embedding(torch.from_numpy(SEEN)).sum()).backward()
        optimizer.step()
    torch.testing.assert_close(embedding(torch.from_numpy(SEEN)), source, atol=1e-3, rtol=0)


def test_the_gradient_of_a_tuned_word_is_the_sum_over_its_places() -> None:
    embedding = some_embedding(SEEN)
    embedding(torch.tensor([[2, 2, 0], [9, 2, 1]])).sum().backward()
    assert embedding.changes is not None
    assert embedding.changes.grad is not None
    assert embedding.changes.grad[:, 0].tolist() == [0.0, 3.0, 0.0, 1.0]  # padding, 2, 5, 9
