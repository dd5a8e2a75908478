"""A module's example inputs may be given by keyword."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, y):
        return x - y * 2


def build():
    return Net()


def example():
    return None


def options():
    return {"example_kwarg_inputs": {"y": torch.linspace(-1.0, 1.0, 2).view(2), "x": torch.linspace(-1.0, 1.0, 2).view(2) * 2}}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2) * 2)]
