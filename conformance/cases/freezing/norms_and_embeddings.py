"""Other normalizations and embeddings."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(5, 4)
        self.layer_norm = nn.LayerNorm(4)
        self.group_norm = nn.GroupNorm(2, 4)

    def forward(self, i: torch.Tensor):
        return self.group_norm(self.layer_norm(self.embedding(i)))


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.tensor([[0, 1, 2], [2, 3, 4]]).view(6),), (torch.tensor([[0, 1, 2], [2, 3, 4]]).view(6),)]
