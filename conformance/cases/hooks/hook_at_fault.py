"""A hook is compiled like a method."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def hook(self, inputs: Tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
    return output.no_such_method()  # error


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_hook(hook)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)


def build():
    return Net()
