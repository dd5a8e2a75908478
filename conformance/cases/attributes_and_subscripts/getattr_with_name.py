"""getattr with a constant name reads an attribute; a third argument stands in for a missing one."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, n: int) -> int:
        return getattr(self, "size") + getattr(self, "missing", 10) * n  # noqa: B009


def build():
    return Net()


def inputs():
    return [(1,), (0,)]
