"""A dict of tensors between two submodules is passed as its values."""

import torch
from torch import nn


class Features(nn.Module):
    def forward(self, x):
        return {"low": x * 0.5, "high": x * 2}


class Head(nn.Module):
    def forward(self, features):
        return features["high"] - features["low"]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = Features()
        self.head = Head()

    def forward(self, x):
        return self.head(self.features(x))


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
