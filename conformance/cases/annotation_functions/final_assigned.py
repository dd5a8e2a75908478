"""A Final attribute is a constant of the graph, of each instance its own."""

from typing import Final

from torch import nn


class Net(nn.Module):
    factor: Final[int]
    name: Final[str]

    def __init__(self, factor: int):
        super().__init__()
        self.factor = factor
        self.name = "net" + str(factor)

    def forward(self, n: int) -> str:
        return self.name + str(n * self.factor + self.factor**2)


def build():
    return Net(3)


def inputs():
    return [(1,), (0,)]
