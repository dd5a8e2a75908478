"""What a hook raises goes to the caller of the module."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x - 1


def positive(self, inputs: Tuple[torch.Tensor]) -> None:
    if bool((inputs[0] <= 0).any()):
        raise ValueError("not positive")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(positive)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x) + self.inner.forward(x)


def build():
    return Net()


def inputs():
    return [(torch.tensor([2.0]),), (torch.tensor([3, 0]),)]
