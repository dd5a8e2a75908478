"""Another module that uses the same one: its fault is told once."""
from torch import nn

from .net import Net


class More(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        other = x.nothing()  # E: TS302
        return self.net(x) + other
