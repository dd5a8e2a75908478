"""A class is compiled as it is used: its default alone would be at fault."""
from torch import nn


class Block(nn.Module):
    def __init__(self, activation=None):
        super().__init__()
        self.activation = activation

    def forward(self, x):
        return self.activation(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(nn.ReLU())

    def forward(self, x):
        return self.block(x)
