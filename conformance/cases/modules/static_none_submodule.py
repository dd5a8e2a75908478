"""A submodule that is None at construction is skipped by a static test, per instance."""

from typing import Optional

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, shortcut: Optional[nn.Module]):
        super().__init__()
        self.body = nn.Linear(width, width)
        self.shortcut = shortcut

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.body(x)
        if self.shortcut is not None:
            x = self.shortcut(x)
        y += x
        return y.relu()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(2, None), Block(2, nn.Linear(2, 2)), Block(2, None))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.blocks(x)


def build():
    return Net()


def inputs():
    return [(torch.ones(2),), (torch.arange(4.0).view(2, 2),)]
