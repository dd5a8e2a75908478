"""Two tensors with the same elements become one constant."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.ones(3)
        self.b = torch.ones(3)

    def forward(self, x):
        return (x + self.a) * self.b


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
