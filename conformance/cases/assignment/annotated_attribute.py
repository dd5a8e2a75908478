"""An attribute's type is declared in __init__, where a method's annotation of it is refused."""

from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, n: int) -> int:
        self.count: int = n  # error
        return self.count


def build():
    return Counter()
