"""A Final attribute cannot be assigned."""

from typing import Final

from torch import nn


class Net(nn.Module):
    size: Final[int]

    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, n: int) -> int:
        if n > self.size:
            self.size = n  # error
        return n


def build():
    return Net()
