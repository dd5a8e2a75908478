"""What `torch.fx` makes of a module is compiled; its `forward` is of no Python module."""

import torch
import torch.fx
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return (x * self.scale).relu() + 1


def build():
    return torch.fx.symbolic_trace(Net())


def inputs():
    return [(torch.tensor([-1.0, 2.0]),)]
