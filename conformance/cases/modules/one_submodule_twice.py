"""A submodule held under two names is one object: what one name changes, the other shows."""

import torch
from torch import nn

from conformance.case import call


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, n: int) -> int:
        self.count += n
        return self.count


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
        return self.left.count - self.right.count + self.apart.count


def build():
    return Twins()


def inputs():
    return [(1,), (2,), call(method="total")]
