"""hasattr is decided while compiling, and an if on it compiles one side only."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, n: int) -> int:
        if hasattr(self, "offset"):
            return n + self.offset
        return n * self.size if hasattr(self, "size") else n


def build():
    return Net()


def inputs():
    return [(2,), (-1,)]
