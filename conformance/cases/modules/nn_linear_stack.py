"""nn.Linear, ReLU, Softmax, LayerNorm, Embedding and Flatten, compiled from torch's own source."""

import torch
from torch import nn


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 4, padding_idx=0)
        self.norm = nn.LayerNorm([4], eps=1e-3)
        self.flat = nn.Flatten()
        self.out = nn.Linear(8, 3)
        self.soft = nn.Softmax(dim=-1)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.norm(self.embed(tokens))
        return self.soft(self.out(self.flat(x)))


def build():
    return Text()


def inputs():
    return [(torch.tensor([[1, 2]]),), (torch.tensor([[0, 6], [3, 3]]),), (torch.tensor([[9, 1]]),)]
