"""A submodule is called itself, by its forward, or by another of its methods."""

from typing import Tuple

from torch import nn


class Inner(nn.Module):
    def forward(self, n: int) -> int:
        return self.scaled(n, 2)

    def scaled(self, n: int, by: int) -> int:
        return n * by


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, n: int) -> Tuple[int, int, int]:
        inner = self.inner
        return self.inner(n), inner.forward(n + 1), self.inner.scaled(n, by=n)


def build():
    return Net()


def inputs():
    return [(3,), (-1,)]
