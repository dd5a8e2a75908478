"""torch does not see that an element of a list is changed: the list becomes a constant."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tensors = [torch.zeros(3)]

    def forward(self, x):
        self.tensors[0].add_(1)
        return x + self.tensors[0]


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
