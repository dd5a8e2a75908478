"""A module may return a dict with strict=False."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        y = self.linear(x)
        return {"scores": y, "best": y.argmax(1)}


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(3, 2),)


def options():
    return {"strict": False}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(3, 2),)]
