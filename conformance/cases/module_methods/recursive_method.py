"""A method may not call itself."""

from torch import nn


class Net(nn.Module):
    def forward(self, n: int) -> int:
        return self.down(n)

    def down(self, n: int) -> int:
        if n <= 0:
            return 0
        return self.down(n - 1)  # error


def build():
    return Net()
