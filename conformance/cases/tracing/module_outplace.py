"""With _force_outplace, operators in place are recorded as those that return a new tensor."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.linear(x)).add_(1)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]


def options():
    return {"_force_outplace": True}
