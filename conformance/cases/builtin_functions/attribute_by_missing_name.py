"""getattr without a default needs an attribute of that name."""

from torch import nn


class Net(nn.Module):
    def forward(self, n: int) -> int:
        return getattr(self, "scale") * n  # error


def build():
    return Net()
