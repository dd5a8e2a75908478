"""getattr with a constant name is the attribute; a default serves where there is none."""

from typing import Tuple

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 3

    def double(self, n: int) -> int:
        return 2 * n

    def forward(self, n: int) -> Tuple[int, int, int]:
        return getattr(self, "scale") * n, getattr(self, "bias", 7), getattr(self, "double")(n)


def build():
    return Net()


def inputs():
    return [(1,), (-2,)]
