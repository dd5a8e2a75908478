"""A branch that an attribute's None decides is folded."""

from typing import Optional

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias: Optional[torch.Tensor] = None
        self.shift: Optional[int] = 2

    def forward(self, x):
        if self.bias is not None:
            x = x + self.bias
        if self.shift is not None:
            x = x + self.shift
        return x


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
