"""Submodules of submodules are reached by long attribute chains, and their constants too."""

import torch
from torch import nn


class Leaf(nn.Module):
    __constants__ = ["k"]

    def __init__(self, k: int):
        super().__init__()
        self.k = k
        self.w = nn.Parameter(torch.tensor(float(k)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.w


class Branch(nn.Module):
    def __init__(self, k: int):
        super().__init__()
        self.leaf = Leaf(k)
        self.leaves = nn.ModuleList([Leaf(k + 1), Leaf(k + 2)])


class Tree(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = Branch(1)
        self.right = nn.ModuleDict({"only": Branch(10)})

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.left.leaf(x) * self.left.leaves[1].k
        for leaf in self.right["only"].leaves:
            x = leaf(x) + leaf.w
        if self.right["only"].leaf.k == 10:
            x = x - self.left.leaf.w
        return x


def build():
    return Tree()


def inputs():
    return [(torch.zeros(1),), (torch.arange(2.0),)]
