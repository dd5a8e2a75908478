"""A list that is returned is a constant as well."""

from typing import List

import torch
from torch import nn


class Net(nn.Module):
    empty: List[int]

    def __init__(self):
        super().__init__()
        self.sizes = [1, 2, 3]
        self.words = ['a', 'b']
        self.empty = []

    def forward(self, x):
        return x, self.sizes, self.words, self.empty


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
