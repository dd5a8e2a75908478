"""A property without a setter cannot be assigned."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 3

    @property
    def twice(self) -> int:
        return self.n * 2

    def forward(self, m: int) -> int:
        self.twice = m  # error
        return self.n


def build():
    return Net()
