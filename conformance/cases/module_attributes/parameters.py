"""A parameter is a tensor attribute that requires gradients; one registered as None is None for good."""

from typing import Tuple

import torch
from torch import nn


class Affine(nn.Module):
    def __init__(self, bias: bool):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([2.0, 3.0]))
        self.register_parameter("bias", nn.Parameter(torch.ones(2)) if bias else None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x * self.weight
        if self.bias is not None:
            y = y + self.bias
        return y


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Affine(True)
        self.two = Affine(False)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, bool]:
        return self.one(x), self.two(x), self.two.weight.requires_grad


def build():
    return Both()


def inputs():
    return [(torch.ones(2),), (torch.zeros(1, 2),), (torch.ones(3),)]
