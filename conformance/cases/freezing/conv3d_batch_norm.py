"""The same in three dimensions."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(1, 2, 2)
        self.norm = nn.BatchNorm3d(2)

    def forward(self, x):
        return self.norm(self.conv(x))


def build():
    net = Net()
    nn.init.uniform_(net.norm.running_mean)
    nn.init.uniform_(net.norm.running_var, 0.5, 2.0)
    nn.init.uniform_(net.norm.weight)
    return net.eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 64).view(2, 1, 4, 4, 2),), (torch.linspace(-1.0, 1.0, 64).view(2, 1, 4, 4, 2),)]
