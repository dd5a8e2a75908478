"""Recurrent layers."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, 2, batch_first=True)

    def forward(self, x):
        y, _ = self.lstm(x)
        return y


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 24).view(2, 4, 3),), (torch.linspace(-1.0, 1.0, 24).view(2, 4, 3),)]
