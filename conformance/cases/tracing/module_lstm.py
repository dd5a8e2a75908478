"""An LSTM is one operator, with its weights as a list."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(2, 3, num_layers=2)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return y, h, c


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 8).view(4, 1, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 8).view(4, 1, 2),), (torch.linspace(-1.0, 1.0, 4).view(2, 1, 2),)]
