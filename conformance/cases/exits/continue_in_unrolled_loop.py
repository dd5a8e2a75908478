"""continue is refused in a loop over modules, which is unrolled."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            if x.numel() == 0:
                continue  # error
            x = layer(x)
        return x


def build():
    return Net()
