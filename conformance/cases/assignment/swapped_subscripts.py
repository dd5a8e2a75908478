"""All values of a tuple are read before the first target is bound, subscripts and attributes too."""

from typing import List, Tuple

from torch import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = 1
        self.right = 2

    def forward(self, values: List[int], i: int, j: int) -> Tuple[int, int, List[int]]:
        self.left, self.right = self.right, self.left
        values[i], values[j] = values[j], values[i]
        return self.left, self.right, values


def build():
    return Pair()


def inputs():
    return [([1, 2, 3], 0, 2), ([1, 2], 1, 1), ([4, 5], -1, -2), ([1], 0, 1)]
