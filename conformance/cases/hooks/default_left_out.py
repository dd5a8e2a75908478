"""Hooks are not given the defaults of arguments that a call leaves out."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor, by: int = 3) -> torch.Tensor:
        return x * by


def doubled(self, inputs: Tuple[torch.Tensor, int]) -> Tuple[torch.Tensor, int]:
    return inputs[0], inputs[1] * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(doubled)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.inner(x, 5)
        return self.inner(y)  # error


def build():
    return Net()
