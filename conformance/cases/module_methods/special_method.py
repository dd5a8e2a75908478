"""A submodule's __len__ is not found by len."""

from torch import nn


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.values = [5, 6, 7]

    def __len__(self) -> int:
        return len(self.values)

    def forward(self, n: int) -> int:
        return n


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = Table()

    def forward(self, i: int) -> int:
        return len(self.table)  # error


def build():
    return Net()
