"""prepend puts a hook before those that are there; a hook calls methods of its module and changes its state."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1

    def limited(self, x: torch.Tensor) -> torch.Tensor:
        return x.clamp(max=50 + self.calls)


def counted(self, inputs: Tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
    self.calls += 1
    return self.limited(output * 10)


def negated(self, inputs: Tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
    return -output + inputs[0]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Inner()
        self.two = Inner()
        self.one.register_forward_hook(counted)
        self.one.register_forward_hook(negated)
        self.two.register_forward_hook(counted)
        self.two.register_forward_hook(negated, prepend=True)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, int]:
        return self.one(x), self.two(self.two(x)), self.two.calls


def build():
    return Net()


def inputs():
    return [(torch.tensor([1, 9]),), (torch.tensor([-3]),)]
