"""A value in the class's body is no attribute of the program: __init__ makes attributes."""

from torch import nn


class Net(nn.Module):
    scale = 3

    def forward(self, n: int) -> int:
        return n * self.scale  # error


def build():
    return Net()
