"""An attribute that is None when the module is compiled makes `is None` static."""

from typing import Optional

import torch
from torch import nn


class Affine(nn.Module):
    def __init__(self, bias: bool):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([2.0, -1.0]))
        if bias:
            self.bias = nn.Parameter(torch.tensor([0.5, 0.5]))
        else:
            self.register_parameter("bias", None)
        self.extra = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x * self.weight
        if self.bias is not None:
            y = y + self.bias
        if self.extra is not None:
            y = self.extra.forward(y)
        return y


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.with_bias = Affine(True)
        self.without = Affine(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.with_bias(x) + self.without(x)


def build():
    return Both()


def inputs():
    return [(torch.ones(2),), (torch.arange(6.0).view(3, 2),)]
