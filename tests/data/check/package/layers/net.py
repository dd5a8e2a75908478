"""A module that uses its neighbours."""
from torch import nn

from ..ops import scaled


class Net(nn.Module):
    def forward(self, x):
        return scaled(x)
