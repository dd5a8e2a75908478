"""Attributes of submodules are read and assigned through a chain; the submodule sees the new values."""

from typing import Tuple

from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self) -> int:
        self.count += 1
        return self.count


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.counter = Counter()

    def forward(self, n: int) -> Tuple[int, int]:
        first = self.counter()
        self.counter.count += n
        return first, self.counter()


def build():
    return Net()


def inputs():
    return [(0,), (10,), (-5,)]
