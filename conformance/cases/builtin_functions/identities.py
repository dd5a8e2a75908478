"""id tells objects of script classes apart, and modules; None has 0."""

from typing import Optional, Tuple

from torch import nn


class Box:
    def __init__(self, n: int):
        self.n = n


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(1, 1)
        self.second = nn.Linear(1, 1)

    def forward(self, n: int) -> Tuple[bool, bool, bool, int]:
        box = Box(n)
        same = box
        other = Box(n)
        nothing: Optional[Box] = None if n > 0 else box
        told = id(box) == id(same), id(box) == id(other) or box.n != other.n
        return told[0], told[1], id(self.first) == id(self.second), id(nothing) if n > 0 else 1


def build():
    return Net()


def inputs():
    return [(1,), (0,)]
