"""Layer norm and activations."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.LayerNorm(4), nn.GELU(), nn.Softmax(-1))

    def forward(self, x):
        return self.layers(x)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 8).view(2, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 8).view(2, 4),), (torch.linspace(-1.0, 1.0, 4).view(1, 4),)]
