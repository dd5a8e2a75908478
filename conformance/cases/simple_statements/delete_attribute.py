"""An attribute cannot be deleted: the module's type has it."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 1

    def forward(self, n: int) -> int:
        del self.count  # error
        return n


def build():
    return Net()
