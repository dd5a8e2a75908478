"""A preserved method is frozen with forward."""

import torch
from torch import nn

from conformance.case import call


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.scale = torch.ones(3) * 2

    def forward(self, x):
        return self.linear(x)

    @torch.jit.export
    def scaled(self, x):
        return self.forward(x) * self.scale

    @torch.jit.export
    def dropped(self, x):
        return x


def build():
    return Net().eval()


def freezing():
    return {"preserved_attrs": ["scaled"]}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), call(*(torch.linspace(-1.0, 1.0, 6).view(2, 3),), method="scaled")]
