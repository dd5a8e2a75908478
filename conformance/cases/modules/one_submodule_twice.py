"""A submodule held under two names has its tensors once: a write through one name shows in both."""

import torch
from torch import nn

from conformance.case import call


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros((), dtype=torch.long))

    def forward(self, n: int) -> int:
        self.count += n
        return int(self.count)


class Twins(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = Counter()
        self.right = self.left
        self.apart = Counter()

    def forward(self, n: int) -> int:
        first = self.left(n)
        second = self.right(n)
        return first * 10000 + second * 100 + self.apart(n)

    @torch.jit.export
    def total(self) -> int:
        return int(self.left.count) - int(self.right.count) + int(self.apart.count)


def build():
    return Twins()


def inputs():
    return [(1,), (2,), call(method="total")]
