"""What is forked is frozen, too."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.shift = torch.ones(3)

    def forward(self, x):
        task = torch.jit.fork(self.linear, x)
        return torch.jit.wait(task) + self.shift


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
