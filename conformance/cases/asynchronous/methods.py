"""Methods and submodules are forked like functions."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor, n: int = 3) -> torch.Tensor:
        return x * n


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def double(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        first = torch.jit.fork(self.double, x)
        second = torch.jit.fork(self.inner, x)
        return torch.jit.wait(first), torch.jit.wait(second)


def build():
    return Net()


def inputs():
    return [(torch.tensor([1, -1]),), (torch.zeros(0),)]
