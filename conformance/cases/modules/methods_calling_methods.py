"""forward calls methods with defaults, keywords and recursion through submodules; unused ones stay out."""

from typing import Optional, Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def __init__(self, bias: float):
        super().__init__()
        self.bias = bias

    def shift(self, x: torch.Tensor, by: Optional[float] = None) -> torch.Tensor:
        return x + (self.bias if by is None else by)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.shift(self.shift(x, by=2.0))

    def uncompilable(self, x):
        return {*x} | {**x}


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner(0.5)
        self.last = Inner(-1.0)

    def split(self, x: torch.Tensor, sign: int = 1) -> Tuple[torch.Tensor, torch.Tensor]:
        return self.inner(x) * sign, self.last.shift(x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a, b = self.split(x)
        c, d = self.split(sign=-1, x=a)
        return a + b - c * self.inner.shift(d, by=self.last.bias)


def build():
    return Outer()


def inputs():
    return [(torch.ones(2),), (torch.arange(3),)]
