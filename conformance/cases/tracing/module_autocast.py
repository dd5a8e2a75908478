"""Within autocast a parameter that two submodules share is converted once."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.conv = nn.Conv1d(1, 2, 2)
        self.cell = nn.GRUCell(2, 2)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.first(self.first(x).relu())
            y = self.conv(y[:, None])
            return self.cell(y[:, 0]).sum(1).float()


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-2.0, 1.0, 9).view(3, 3),)]
