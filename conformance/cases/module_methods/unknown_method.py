"""There is no such method, neither in the class nor in its bases."""

from torch import nn


class Net(nn.Module):
    def forward(self, n: int) -> int:
        return self.triple(n)  # error


def build():
    return Net()
