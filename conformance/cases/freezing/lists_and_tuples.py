"""Lists, tuples and dicts that nothing writes to are constants, and so is what is asked of them."""

from typing import Dict

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = [1, 2, 3]
        self.pair = (2, torch.ones(3))
        self.names: Dict[str, int] = {'a': 1}

    def forward(self, x):
        return x * self.sizes[0] + len(self.sizes) + self.pair[1] * self.pair[0] + self.names['a']


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
