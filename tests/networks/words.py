"""Documents and word vectors that the networks are tried on."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from keysift.networks.embedding import WordEmbedding

WORDS, DIM = 30, 5


def some_vectors(seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(WORDS, DIM)).astype(np.float32)


def some_embedding(tuned: NDArray[np.int64] | None = None) -> WordEmbedding:
    return WordEmbedding(some_vectors(), tuned)


def some_documents(lengths: list[int], seed: int = 0) -> Tensor:
    """Padded word numbers; a length of 0 is a document without words."""
    drawn = np.random.default_rng(seed).integers(1, WORDS + 1, (len(lengths), max(1, *lengths)))
    return torch.from_numpy(drawn * (np.arange(drawn.shape[1]) < np.array(lengths)[:, None]))


def assert_scores_do_not_depend_on_the_batch(network: torch.nn.Module) -> None:
    lengths = [3, 1, 12, 7, 1, 0, 7, 2]
    documents = some_documents(lengths)
    with torch.inference_mode():
        together = network(documents)
        alone = torch.cat(
            [network(row[None, : max(1, length)]) for row, length in zip(documents, lengths, strict=True)]
        )
        backwards = network(documents.flip(0)).flip(0)
        wider = network(torch.nn.functional.pad(documents, (0, 4)))
    assert together.shape == (len(lengths),) or together.shape == (len(lengths), 1)
    assert together.std() > 1e-3  # else there is nothing to compare
    for other in (alone, backwards, wider):
        torch.testing.assert_close(other, together, atol=1e-5, rtol=0)
