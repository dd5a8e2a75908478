"""A list of tensors is one constant."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tensors = [torch.ones(3), torch.arange(3.0)]

    def forward(self, x):
        return x + self.tensors[0] * self.tensors[1]


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
