"""Exported methods are compiled."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x

    @torch.jit.export
    def other(self, x):
        return x.nothing()  # E: TS302

    @torch.jit.ignore
    def ignored(self, x):
        return print(lambda: x)
