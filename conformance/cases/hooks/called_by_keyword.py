"""Hooks are given the arguments of positions only; a call by keywords leaves none for them."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def shifted(self, inputs: Tuple[torch.Tensor]) -> torch.Tensor:
    return inputs[0] + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(shifted)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.inner(x)
        return self.inner(x=y)  # error


def build():
    return Net()
