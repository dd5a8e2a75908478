"""A buffer may be changed in place or replaced; it keeps its value from call to call."""

import torch
from torch import nn


class Mean(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(1))
        self.register_buffer("count", torch.tensor(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total = self.total + x.sum()
        self.count += x.numel()
        return self.total / self.count


def build():
    return Mean()


def inputs():
    return [(torch.tensor([1.0, 3.0]),), (torch.tensor([5.0]),), (torch.zeros(0),)]
