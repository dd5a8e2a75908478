"""The target may be an attribute, which has its last value after the loop."""

from typing import List

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = 0

    def forward(self, values: List[int]) -> int:
        for self.last in values:
            pass
        return self.last


def build():
    return Net()


def inputs():
    return [([1, 2],), ([],), ([-1],)]
