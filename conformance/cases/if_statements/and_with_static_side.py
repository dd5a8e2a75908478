"""A condition with `and` is decided when either side is known to be false."""

from typing import Final

from torch import nn


class Net(nn.Module):
    debug: Final[bool]

    def __init__(self):
        super().__init__()
        self.debug = False

    def forward(self, n: int) -> int:
        if self.debug and n > 3:
            n = self.missing(n)
        if n > 3 and self.debug:
            n = self.missing_too(n)
        return n


def build():
    return Net()


def inputs():
    return [(1,), (4,)]
