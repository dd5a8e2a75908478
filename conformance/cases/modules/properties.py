"""A property is compiled as a method that reading calls, and its setter as one that assigning calls."""

import torch
from torch import nn

from conformance.case import call


class Gauge(nn.Module):
    def __init__(self):
        super().__init__()
        self._level = 1
        self.reads = 0

    @property
    def level(self) -> int:
        self.reads += 1
        return self._level

    @level.setter
    def level(self, value: int):
        self._level = value if value < 10 else 10

    def forward(self, n: int) -> int:
        self.reads = 0  # scripting reads properties, too
        self.level = self.level + n
        return self.level * 100 + self.reads

    @torch.jit.export
    def peek(self) -> int:
        return self.level


def build():
    return Gauge()


def inputs():
    return [(2,), (50,), call(method="peek")]
