"""Two tensors with the same elements stay two if both leave the program."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.ones(3)
        self.b = torch.ones(3)

    def forward(self, x):
        return self.a, self.b, x + self.a


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
