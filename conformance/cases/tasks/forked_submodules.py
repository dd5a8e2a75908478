"""Submodules are forked; each has its parameters."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(2, 2)
        self.right = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        left = torch.jit.fork(self.left, x)
        right = self.right(x)
        return torch.jit.wait(left) * right


def build():
    return Net()


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
