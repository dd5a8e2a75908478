"""An attribute that is None without an annotation is of type None, and takes nothing else."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, n: int) -> int:
        self.last = n  # error
        return n


def build():
    return Net()
