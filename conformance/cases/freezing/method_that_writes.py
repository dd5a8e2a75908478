"""What a preserved method writes to is an attribute for forward, too."""

import torch
from torch import nn

from conformance.case import call


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = 1
        self.other = 5

    def forward(self, x):
        return x * self.mode + self.other

    @torch.jit.export
    def choose(self, mode: int):
        self.mode = mode


def build():
    return Net().eval()


def freezing():
    return {"preserved_attrs": ["choose"]}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), call(3, method="choose"), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
