"""A batch norm of one feature fits any layer."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(1)

    def forward(self, x):
        return self.norm(self.linear(x))


def build():
    net = Net()
    nn.init.uniform_(net.norm.running_mean)
    nn.init.uniform_(net.norm.running_var, 0.5, 2.0)
    nn.init.uniform_(net.norm.weight)
    return net.eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 1, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 1, 3),)]
