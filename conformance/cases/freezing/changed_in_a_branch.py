"""A write in a branch counts."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros(3)

    def forward(self, x):
        if bool(x.sum() > 0):
            self.total.add_(1)
        return x + self.total


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.ones(2, 3),), (-torch.ones(2, 3),), (torch.ones(2, 3),)]
