"""A loop over the time of a sequence is unrolled."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(4, 2)

    def forward(self, x):
        h = torch.zeros(x.size(1), 2)
        for step in range(x.size(0)):
            h = torch.tanh(self.cell(torch.cat([x[step], h], 1)))
        return h


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(3, 1, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(3, 1, 2),)]
