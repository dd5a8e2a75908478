"""A static method is called through self or the class, and does not see self."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2

    @staticmethod
    def double(n: int) -> int:
        return n * 2

    def forward(self, n: int) -> int:
        return self.double(n) + self.scale


def build():
    return Net()


def inputs():
    return [(3,), (-1,)]
