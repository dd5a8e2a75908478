"""Methods come from the class's bases; super() inside __init__ is Python's; overridden ones win."""

import torch
from torch import nn


class Base(nn.Module):
    factor: float

    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor

    def scale(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.scale(x) + self.extra(x)

    def extra(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Derived(Base):
    def __init__(self):
        super().__init__(3.0)
        self.power = 2

    def extra(self, x: torch.Tensor) -> torch.Tensor:
        return x**self.power


class Last(Derived):
    def scale(self, x: torch.Tensor) -> torch.Tensor:
        return x - self.factor


class Family(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = Base(2.0)
        self.derived = Derived()
        self.last = Last()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.base(x) + 10 * self.derived(x) + 100 * self.last(x)


def build():
    return Family()


def inputs():
    return [(torch.ones(2),), (torch.tensor([-1.0, 0.5]),)]
