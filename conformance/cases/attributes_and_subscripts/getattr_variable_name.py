"""The name that getattr is given must be a string literal."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, name: str) -> int:
        return self.size + getattr(self, name)  # error


def build():
    return Net()
