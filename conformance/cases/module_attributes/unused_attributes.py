"""An attribute that is no value of the language does no harm while it is not used."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.anything = {1, "a", (2, None)}
        self.function = len
        self.count = 4

    def forward(self, n: int) -> int:
        return n + self.count


def build():
    return Net()


def inputs():
    return [(1,), (-4,)]
