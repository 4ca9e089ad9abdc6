"""A convolutional network over word vectors (Kim, 2014)."""

import torch
from torch import Tensor, nn

from keysift.networks.embedding import WordEmbedding


class CNN(nn.Module):
    """Word vectors -> convolutions over 3, 4 and 5 words -> ReLU -> max over time -> dropout -> score."""

    def __init__(
        self, embedding: WordEmbedding, widths: tuple[int, ...] = (3, 4, 5), channels: int = 64, dropout: float = 0.5
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.convolutions = nn.ModuleList(nn.Conv1d(embedding.dim, channels, width) for width in widths)
        self.margin = max(widths) - 1
        self.dropout = nn.Dropout(dropout)
        self.score = nn.Linear(channels * len(widths), 1)

    def forward(self, ids: Tensor) -> Tensor:
        """Scores (documents,) of padded word numbers (documents, longest)."""
        # Zero vectors on both sides, so that the shortest document has a window; places beyond a document's own
        # windows must not count, or its score would depend on the batch it is in.
        words = nn.functional.pad(self.embedding(ids).transpose(1, 2), (self.margin, self.margin))
        lengths = (ids != 0).sum(1)
        highest = []
        for convolution in self.convolutions:
            response = convolution(words)
            own = torch.arange(response.shape[2]) < (lengths + self.margin)[:, None]
            highest.append(response.relu().masked_fill(~own[:, None], 0.0).amax(2))
        scores: Tensor = self.score(self.dropout(torch.cat(highest, dim=1)))
        return scores.squeeze(1)
