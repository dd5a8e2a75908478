"""What a pre-hook returns are the inputs of forward, or None."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def hook(self, inputs: Tuple[torch.Tensor]) -> Tuple[int]:  # error
    return (1,)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(hook)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)


def build():
    return Net()
