"""A property is compiled even if nothing reads it, unless it is marked as unused."""

from torch import nn


class Net(nn.Module):
    __jit_unused_properties__ = ["python_only"]

    def __init__(self):
        super().__init__()
        self.n = 3

    @property
    def twice(self) -> int:
        return self.n * 2

    @property
    def python_only(self):
        return [*{self.n}]

    def forward(self, m: int) -> int:
        return m + self.twice


def build():
    return Net()


def inputs():
    return [(1,), (-6,)]
