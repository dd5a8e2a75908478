"""A set is no value of the language."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = {"a", "b"}

    def forward(self, name: str) -> bool:
        return name in self.names  # error


def build():
    return Net()
