"""A class that inherits its forward is traced as its base is."""

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        return self.linear(x) * self.factor()

    def factor(self):
        return 1


class Net(Base):
    def factor(self):
        return 3

    def forward(self, x):
        return super().forward(x) + 1


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
