"""Hooks run in the order of registration; one that returns None leaves the value as it is."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        return x * n


def watched(self, inputs: Tuple[torch.Tensor, int]) -> None:
    self.seen += inputs[1]


def swapped(self, inputs: Tuple[torch.Tensor, int]) -> Tuple[torch.Tensor, int]:
    return inputs[0] + 1, -inputs[1]


def silent(self, inputs: Tuple[torch.Tensor, int], output: torch.Tensor) -> None:
    self.seen += 100


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(watched)
        self.inner.register_forward_pre_hook(swapped)
        self.inner.register_forward_hook(silent)

    def forward(self, x: torch.Tensor, n: int) -> Tuple[torch.Tensor, int]:
        y = self.inner(x, n)
        return y, self.inner.seen


def build():
    return Net()


def inputs():
    return [(torch.tensor([1.0, -2.0]), 3), (torch.zeros(0), -1)]
