"""trace_module records several methods; submodules get one for each of their calls."""

import torch
from torch import nn

from conformance.case import call


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        return self.linear(x)

    def kernel(self, weight, other):
        return weight * self.linear.weight + self.linear(other)


def build():
    return Net()


def example():
    return {"forward": torch.linspace(-1.0, 1.0, 2).view(1, 2), "kernel": (torch.linspace(-1.0, 1.0, 4).view(2, 2), torch.linspace(-1.0, 1.0, 4).view(2, 2))}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(1, 2),), call(torch.linspace(-1.0, 1.0, 4).view(2, 2), torch.linspace(-1.0, 1.0, 4).view(2, 2), method="kernel")]
