"""A property that nothing reads is compiled all the same."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 3

    @property
    def broken(self) -> int:
        return self.n + "one"  # error

    def forward(self, m: int) -> int:
        return m


def build():
    return Net()
