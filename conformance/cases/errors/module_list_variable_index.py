"""A ModuleList is indexed by constants only, unless the element's interface is annotated."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, x: torch.Tensor, i: int) -> torch.Tensor:
        x = self.layers[0](x)
        return self.layers[i](x)  # error


def build():
    return Net()
