"""An attribute keeps its type: an int attribute cannot turn into a float."""

from torch import nn


class Meter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 1

    def forward(self, x: float) -> int:
        self.count *= x  # error
        return self.count


def build():
    return Meter()
