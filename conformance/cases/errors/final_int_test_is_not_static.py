"""A test on a Final int compiles both sides; only flags, None and isinstance are decided early."""

from typing import Final

import torch
from torch import nn


class Net(nn.Module):
    heads: Final[int]

    def __init__(self):
        super().__init__()
        self.heads = 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.heads > 100:
            x = x.no_such_method()  # error
        return x


def build():
    return Net()
