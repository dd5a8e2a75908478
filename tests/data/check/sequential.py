"""A container of modules, one of which is at fault."""
from torch import nn


class Bad(nn.Module):
    def forward(self, x):
        return x.nothing()  # E: TS302


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 2), Bad(), Bad())

    def forward(self, x):
        return self.layers(x)
