"""An empty list says not what it will hold: its attribute needs an annotation in the class."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, n: int) -> int:
        self.seen.append(n)  # error
        return n


def build():
    return Net()
