"""Methods are found as in Python: the class's own first, then its bases', also from within a base's method."""

from typing import Tuple

from torch import nn


class Base(nn.Module):
    def forward(self, n: int) -> int:
        return self.step(n) + self.offset()

    def step(self, n: int) -> int:
        return n + 1

    def offset(self) -> int:
        return 100


class Derived(Base):
    def step(self, n: int) -> int:
        return n * 2


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = Base()
        self.derived = Derived()

    def forward(self, n: int) -> Tuple[int, int]:
        return self.base(n), self.derived(n)


def build():
    return Both()


def inputs():
    return [(5,), (-5,)]
