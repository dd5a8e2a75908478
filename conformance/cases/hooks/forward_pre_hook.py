"""A forward pre-hook sees the inputs, and may return others as a tuple."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def shifted(self, inputs: Tuple[torch.Tensor]) -> Tuple[torch.Tensor]:
    return (inputs[0] + 1,)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(shifted)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)


def build():
    return Net()


def inputs():
    return [(torch.tensor([1.0, -2.0]),), (torch.zeros(0),)]
