"""A class method is called through self; its class is no value."""

from torch import nn


class Net(nn.Module):
    @classmethod
    def triple(cls, n: int) -> int:
        return n * 3

    def forward(self, n: int) -> int:
        return self.triple(n)


def build():
    return Net()


def inputs():
    return [(2,), (-1,)]
