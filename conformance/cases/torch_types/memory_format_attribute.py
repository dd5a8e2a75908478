"""A memory format is no value that a module can hold for compiled code."""

import torch
from torch import nn


class Mover(nn.Module):
    def __init__(self):
        super().__init__()
        self.layout = torch.strided
        self.format = torch.channels_last

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.layout == self.layout:
            return x.contiguous(memory_format=self.format)  # error
        return x


def build():
    return Mover()
