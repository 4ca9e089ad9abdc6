"""Word vectors as the first layer of a network: a fixed table, and what fine-tuning adds to it."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


class WordEmbedding(nn.Module):
    """Word numbers -> vectors; 0, the padding, has a zero vector.

    The table never changes and is not part of the state: a file stores the name of the vectors instead. For `tuned`
    words, the change of the vector is learned, so that weight decay pulls a word back to its original vector, and words
    that training never saw keep theirs.

    >>> embedding = WordEmbedding(np.eye(2, dtype=np.float32), tuned=np.array([2]))
    >>> embedding(torch.tensor([0, 2])).tolist(), list(embedding.state_dict())
    ([[0.0, 0.0], [0.0, 1.0]], ['changes', 'tuned'])
    """

    table: Tensor
    place: Tensor
    tuned: Tensor

    def __init__(self, matrix: NDArray[np.float32], tuned: NDArray[np.int64] | None = None) -> None:
        super().__init__()
        table = torch.zeros(len(matrix) + 1, matrix.shape[1])
        table[1:] = torch.from_numpy(np.array(matrix, dtype=np.float32))
        self.register_buffer("table", table, persistent=False)
        self.changes: nn.Parameter | None = None
        if tuned is not None:
            self.register_buffer("tuned", torch.as_tensor(tuned))
            place = torch.zeros(len(table), dtype=torch.int64)
            place[self.tuned] = torch.arange(1, len(tuned) + 1)
            self.register_buffer("place", place, persistent=False)
            self.changes = nn.Parameter(torch.zeros(len(tuned) + 1, matrix.shape[1]))

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self.table.shape[1]

    def forward(self, ids: Tensor) -> Tensor:
        """Vectors (..., dim) of word numbers (...)."""
        vectors = nn.functional.embedding(ids, self.table)
        if self.changes is None:
            return vectors
        return vectors + nn.functional.embedding(self.place[ids], self.changes, padding_idx=0)

    def mean(self, ids: Tensor) -> Tensor:
        """The mean vector (documents, dim) of the words of padded documents (documents, longest)."""
        words = (ids != 0).sum(1, keepdim=True).clamp(min=1)
        return self.forward(ids).sum(1) / words
