"""A class that nothing tells how to make: not checked, and said so."""
from torch import nn


class Net(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)
