"""Hooks run where the module is called, not where its forward is."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def negated(self, inputs: Tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
    return -output


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hooked = Inner()
        self.hooked.register_forward_hook(negated)
        self.plain = Inner()

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return self.hooked(x), self.hooked.forward(x), self.plain(x)


def build():
    return Net()


def inputs():
    return [(torch.tensor([1.0, -2.0]),), (torch.zeros(0),)]
