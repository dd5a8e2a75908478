"""An exported method is compiled though nothing calls it."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, n: int) -> int:
        return n

    @torch.jit.export
    def other(self, n: int) -> int:
        return n.no_such_method()  # error


def build():
    return Net()
