"""A layer of torch's transformer."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)

    def forward(self, x):
        return self.layer(x)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 12).view(3, 1, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 12).view(3, 1, 4),)]
