import numpy as np
import torch
from torch import nn

from keysift.networks.mlp import MLP, OverMeanVectors
from tests.networks.words import assert_scores_do_not_depend_on_the_batch, some_documents, some_embedding, some_vectors


def test_is_a_hidden_layer_over_the_mean() -> None:
    torch.manual_seed(0)
    network, documents = MLP(some_embedding(), units=4).eval(), some_documents([3, 1, 6])
    state = {name: value.numpy() for name, value in network.state_dict().items()}
    for row, score in zip(documents.numpy(), network(documents).detach().numpy(), strict=True):
        mean = some_vectors()[row[row > 0] - 1].mean(0)
        hidden = np.maximum(0, state["inner.0.weight"] @ mean + state["inner.0.bias"])
        np.testing.assert_allclose(score, state["inner.3.weight"] @ hidden + state["inner.3.bias"], atol=1e-6)


def test_a_score_does_not_depend_on_the_batch() -> None:
    torch.manual_seed(0)
    assert_scores_do_not_depend_on_the_batch(MLP(some_embedding()).eval())
    assert_scores_do_not_depend_on_the_batch(OverMeanVectors(some_embedding(), nn.Linear(5, 1)))


def test_any_module_on_mean_vectors_reads_word_numbers() -> None:
    inner = nn.Linear(5, 1)
    network, documents = OverMeanVectors(some_embedding(), inner), some_documents([3, 1, 6, 0])
    assert torch.equal(network(documents), inner(some_embedding().mean(documents)))
    assert set(network.state_dict()) == {"inner.weight", "inner.bias"}
    assert network(documents)[3] == inner.bias


def test_every_weight_learns_and_dropout_is_for_training_only() -> None:
    torch.manual_seed(0)
    network, documents = MLP(some_embedding()), some_documents([6, 1, 3, 9])
    assert not torch.equal(network(documents), network(documents))
    network.eval()(documents).sum().backward()
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in network.parameters())
