"""A module that is a variable of the file."""
from torch import nn


class Net(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x, x)  # E: TS402


net = Net(nn.ReLU())
