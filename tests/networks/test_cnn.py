import pytest
import torch
from torch import Tensor

from keysift.networks.cnn import CNN
from tests.networks.words import assert_scores_do_not_depend_on_the_batch, some_documents, some_embedding


def score_of(network: CNN, words: Tensor) -> Tensor:
    """One document, window by window: the obvious twin."""
    margin = torch.zeros(network.margin, network.embedding.dim)
    line = torch.cat([margin, network.embedding(words), margin])
    highest = []
    for convolution in network.convolutions:
        weight, bias = convolution.get_parameter("weight"), convolution.get_parameter("bias")
        width = weight.shape[2]
        starts = range(len(words) + network.margin)
        responses = [(weight * line[start : start + width].T).sum((1, 2)) + bias for start in starts]
        highest.append(torch.stack(responses).relu().amax(0))
    score: Tensor = network.score(torch.cat(highest))
    return score.squeeze()


@pytest.mark.parametrize("widths", [(3, 4, 5), (1, 2)])
def test_equals_window_by_window(widths: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    network = CNN(some_embedding(), widths=widths, channels=6).eval()
    lengths = [6, 1, 3, 9]
    documents = some_documents(lengths)
    expected = [score_of(network, row[:length]) for row, length in zip(documents, lengths, strict=True)]
    torch.testing.assert_close(network(documents), torch.stack(expected), atol=1e-6, rtol=1e-5)


def test_a_score_does_not_depend_on_the_batch() -> None:
    torch.manual_seed(0)
    assert_scores_do_not_depend_on_the_batch(CNN(some_embedding()).eval())


def test_every_weight_learns_and_dropout_is_for_training_only() -> None:
    torch.manual_seed(0)
    network, documents = CNN(some_embedding()), some_documents([6, 1, 3, 9])
    assert not torch.equal(network(documents), network(documents))
    network.eval()(documents).sum().backward()
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in network.parameters())
    assert torch.equal(network(documents), network(documents))
