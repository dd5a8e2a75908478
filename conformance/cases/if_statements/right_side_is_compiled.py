"""A condition's right side is compiled though its left side decides."""

from typing import Final

from torch import nn


class Net(nn.Module):
    debug: Final[bool]

    def __init__(self):
        super().__init__()
        self.debug = False

    def forward(self, n: int) -> int:
        if self.debug and n.no_such_method():  # error
            n += 1
        return n


def build():
    return Net()
