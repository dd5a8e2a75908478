"""An attribute keeps the type it had when the module was compiled."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, n: int) -> int:
        self.count += n
        self.count = n / 2  # error
        return self.count


def build():
    return Net()
