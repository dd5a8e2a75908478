"""A list attribute holds values of one type."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.values = [1, "a"]

    def forward(self, n: int) -> int:
        return n + len(self.values)  # error


def build():
    return Net()
