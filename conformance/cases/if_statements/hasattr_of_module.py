"""hasattr of a module is decided while compiling: the branch left out need not fit."""

from typing import Tuple

from torch import nn


class Net(nn.Module):
    def __init__(self, bias: bool):
        super().__init__()
        if bias:
            self.offset = 10

    def forward(self, n: int) -> int:
        if hasattr(self, "offset"):
            n = n + self.offset
        if not hasattr(self, "scale") and n > 0:
            return n
        return -n


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Net(True)
        self.two = Net(False)

    def forward(self, n: int) -> Tuple[int, int]:
        return self.one(n), self.two(n)


def build():
    return Both()


def inputs():
    return [(5,), (-5,), (-20,)]
