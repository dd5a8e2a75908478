"""Buffers are attributes as parameters are, persistent or not."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.5, -0.5]))
        self.register_buffer("deviation", torch.tensor([2.0, 4.0]), persistent=False)
        self.register_buffer("absent", None)

    def forward(self, x):
        return (x - self.mean) / self.deviation


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
