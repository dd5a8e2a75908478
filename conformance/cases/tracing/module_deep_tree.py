"""A tree of modules four levels deep: each level has its scope and its method."""

import torch
from torch import nn


class Leaf(nn.Module):
    def forward(self, x):
        return x.tanh() * 2


class Twig(nn.Module):
    def __init__(self):
        super().__init__()
        self.leaf = Leaf()

    def forward(self, x):
        return self.leaf(x) + 1


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = Twig()
        self.right = Twig()

    def forward(self, x):
        return self.left(x) * self.right(x.t())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.branch = Branch()
        self.leaf = Leaf()

    def forward(self, x):
        return self.leaf(self.branch(x)) - x


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
